import { type Resources, resources, type SiteFireValue, type StoredOf } from '@gatehouse-access/api'
import { findObject } from '../store/find.ts'
import { updateObject, type Write } from '../store/write.ts'

type Site = StoredOf<Resources['site']>

/**
 * Stores what the contact of a fire alarm says. A fire lasts until somebody resets it, so a contact that clears
 * only permits that. Reports of before the last reset are old news. Needs a transaction.
 */
export async function setFire(
  write: Write,
  siteId: string,
  state: 'on' | 'cleared',
  at: string,
): Promise<Site | undefined> {
  const { organization_id } = write.caller
  const site = await findObject(write.db, resources.site, { organization_id }, siteId, { lock: true })
  if (!site?.fire || site.is_deleted) return undefined
  const fire = state === 'on' ? lit(site.fire, at) : cleared(site.fire, at)
  return fire === site.fire ? site : updateObject(write, resources.site, site, { fire })
}

function lit(fire: SiteFireValue, at: string): SiteFireValue {
  if (fire.reset_at && at <= fire.reset_at) return fire
  if (fire.since && !fire.cleared_at) return fire
  const { cleared_at: _, ...rest } = fire
  return { ...rest, since: fire.since ?? at }
}

function cleared(fire: SiteFireValue, at: string): SiteFireValue {
  return !fire.since || fire.cleared_at ? fire : { ...fire, cleared_at: at }
}

/** Ends a fire. */
export function resetFire(write: Write, site: Site, fire: SiteFireValue): Promise<Site> {
  const { since: _since, cleared_at: _cleared, ...rest } = fire
  return updateObject(write, resources.site, site, { fire: { ...rest, reset_at: write.now } })
}
