import { hash } from 'node:crypto'
import { invalid, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Picture } from '../../mail/letter.ts'
import { findObject } from '../../store/find.ts'
import { logHappening, updateObject } from '../../store/write.ts'
import type { Work } from '../objects/context.ts'
import { notFound } from '../objects/objects.ts'

type Organization = StoredOf<Resources['organization']>

const grace = 30 * 24 * 3600

/**
 * Stops tokens, devices and the API at once, and schedules the purge in 30 days. Until then an owner can
 * restore the organization.
 */
export async function deleteOrganization(work: Work): Promise<Organization> {
  const organization = await hold(work)
  if (organization.is_deleted) return organization
  await work.db.query(
    'INSERT INTO organization_deletions (organization_id, requested_by, requested_at, due_at) VALUES ($1, $2, $3, $4)',
    [organization.id, work.caller.user_id ?? null, work.now, addSeconds(work.now, grace)],
  )
  work.db.afterCommit('rights_changed')
  return updateObject(work, resources.organization, organization, { is_deleted: true }, 'delete')
}

export async function restoreOrganization(work: Work): Promise<Organization> {
  const organization = await hold(work)
  const [pending] = await work.db.query(
    'DELETE FROM organization_deletions WHERE organization_id = $1 AND due_at > $2 RETURNING due_at',
    [organization.id, work.now],
  )
  if (!organization.is_deleted) return organization
  if (!pending) throw invalid('', 'the organization can no longer be restored: its 30 days are over')
  work.db.afterCommit('rights_changed')
  return updateObject(work, resources.organization, organization, { is_deleted: false })
}

export async function renameOrganization(work: Work, name: string | undefined): Promise<Organization> {
  const organization = await hold(work)
  if (organization.is_deleted) throw invalid('', 'the organization is deleted; restore it first')
  if (name === undefined || organization.name === name) return organization
  return updateObject(work, resources.organization, organization, { name })
}

/** Sets what the mails of the organization and its guest page show at the top, or removes it with null. */
export async function setLogo(work: Work, logo: Picture | null): Promise<void> {
  const { id, is_deleted } = await hold(work)
  if (is_deleted) throw invalid('', 'the organization is deleted; restore it first')
  await work.db.query('UPDATE organizations SET logo = $2, logo_type = $3, logo_hash = $4 WHERE id = $1', [
    id,
    logo?.bytes ?? null,
    logo?.type ?? null,
    logo ? hash('sha256', logo.bytes, 'hex') : null,
  ])
  const changes = [{ field: 'logo', before: null, after: null, is_cut: true }]
  await logHappening(work, 'edit', { type: 'organization', organization_id: id, changes })
}

async function hold({ db, caller }: Work): Promise<Organization> {
  const { organization_id } = caller
  const row = await findObject(db, resources.organization, { organization_id }, organization_id, {
    lock: true,
  })
  if (!row) throw notFound(resources.organization)
  return row
}
