import { invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import { logObject } from '../../store/write.ts'
import { digest, newSecret } from '../../vault/vault.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'
import { findExposedPins } from './exposed-pins.ts'

type Device = StoredOf<Resources['device']>

/** Issues the connection secret of a device, or replaces it. A replaced secret stops working at once. */
export async function issueCredentials({
  work,
  target,
  id,
  readBody,
}: InputOf<'device', 'issue_credentials'>): Promise<Row> {
  return work.db.transaction(async db => {
    const device = await getObject({ ...work, db }, target, id, true)
    readBody()
    if (device.is_deleted) throw invalid('device_id', 'the device is deleted; restore it first')
    if (device.hardware_id === null)
      throw invalid('device_id', 'a virtual device runs inside the service and needs no credentials')
    const secret = newSecret('ghd')
    await storeSecret({ ...work, db }, device, digest(secret))
    await renewKey({ ...work, db }, device)
    await logObject({ ...work, db }, target.resource, 'create', device, { type: 'hardware' })
    return { device_id: device.id, hardware_id: device.hardware_id, secret }
  })
}

/** Renews the key of the PIN hashes: those read out of the device before reveal nothing about later PINs. */
async function renewKey({ db, caller }: Work, device: Device): Promise<void> {
  await db.query(
    `INSERT INTO device_policies (organization_id, device_id) VALUES ($1, $2)
     ON CONFLICT (organization_id, device_id) DO UPDATE SET generation = device_policies.generation + 1`,
    [caller.organization_id, device.id],
  )
}

/**
 * Removes the secret, so that the device can no longer connect. Anyone with the device in hand can find out
 * the PINs it knew, so the answer lists those to replace. Revoking twice writes no second event.
 */
export async function revokeCredentials({
  work,
  target,
  id,
}: InputOf<'device', 'revoke_credentials'>): Promise<Row> {
  return work.db.transaction(async db => {
    const device = await getObject({ ...work, db }, target, id, true)
    const revoked = await storeSecret({ ...work, db }, device, null)
    if (revoked) await logObject({ ...work, db }, target.resource, 'delete', device, { type: 'hardware' })
    return { ...device, ...(await findExposedPins({ ...work, db }, id)) }
  })
}

async function storeSecret(work: Work, device: Device, hash: Buffer | null): Promise<boolean> {
  const rows = await work.db.query(
    'UPDATE devices SET secret_hash = $3 WHERE organization_id = $1 AND id = $2 AND secret_hash IS DISTINCT FROM $3 RETURNING id',
    [work.caller.organization_id, device.id, hash],
  )
  return rows.length > 0
}
