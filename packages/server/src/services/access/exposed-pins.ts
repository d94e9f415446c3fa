import { capabilityNames } from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import { indexCoverage } from '../../devices/policy/coverage.ts'
import { devicePlaces } from '../../devices/policy/device-places.ts'
import { loadPlaces } from '../../devices/policy/places.ts'
import { inSlices } from '../../flow/slices.ts'
import type { Work } from '../objects/context.ts'

/** The most PINs listed. The count covers all of them. */
const mostListed = 1000

/**
 * Returns the PINs that a device holds as hashes, of the members that the caller sees. PINs are short enough to be
 * guessed from the hashes.
 */
export async function findExposedPins(
  { db, caller }: Pick<Work, 'db' | 'caller'>,
  deviceId: string,
): Promise<Row> {
  const { organization_id: organizationId, bounds } = caller
  const places = await loadPlaces(db, organizationId)
  const coverage = await inSlices(organizationId, indexCoverage(places))
  const reader = { seal: '', capabilities: new Set(capabilityNames) }
  const own = await inSlices(organizationId, devicePlaces(places, coverage, deviceId, reader))
  const groups = [...own.groups].filter(id => !bounds || bounds.member_group_ids.includes(id))
  if (!own.takes_pins || groups.length === 0) return { exposed_pins: [], exposed_pin_count: 0 }
  const rows = await db.query<{ member_pin_id: string; member_id: string; total: number }>(
    `SELECT p.id AS member_pin_id, p.member_id, (count(*) OVER ())::integer AS total FROM member_pins p
     WHERE p.organization_id = $1 AND p.is_claimed AND p.member_id IN (
       SELECT member_id FROM member_group_associations WHERE organization_id = $1 AND NOT is_deleted AND member_group_id = ANY($2::text[]))
     ORDER BY p.id LIMIT ${mostListed}`,
    [organizationId, groups],
  )
  return {
    exposed_pins: rows.map(({ member_pin_id, member_id }) => ({ member_pin_id, member_id })),
    exposed_pin_count: rows[0]?.total ?? 0,
  }
}
