import { t } from '../language/t.ts'
import type { Role } from '../session/session.ts'

export const roleWords: Record<Role, readonly [string, string]> = {
  owner: [t('Owner'), t('Full access, including deleting the organization and appointing owners')],
  administrator: [t('Administrator'), t('Full access, except deleting the organization and changing owners')],
  viewer: [t('Viewer'), t('Can see everything but change nothing')],
  site_administrator: [
    t('Site administrator'),
    t('Members, doors and devices, and the settings of sites; no rules of groups'),
  ],
  site_viewer: [t('Site viewer'), t('Can see members, doors, devices and events, but change nothing')],
  front_desk: [t('Front desk'), t('Members, their credentials and the doors; no settings')],
  installer: [t('Installer'), t('Devices, doors and triggers; neither members nor events')],
}

const scopes: Record<string, string> = {
  full_read_write: t('Read and change everything'),
  full_read_only: t('Read everything'),
  members: t('Read and change members'),
  'members:read': t('Read members'),
  devices: t('Read and change devices and doors'),
  'events:read': t('Read events'),
  actions: t('Open doors'),
  offline: t('stay connected'),
}

/** What a key or an application can be allowed. */
export const scopeChoices = Object.entries(scopes).filter(([scope]) => scope !== 'offline')

/** Describes the scopes. The wider scope includes the narrower. */
export function scopeWords(given: readonly string[]): string {
  const wide = given.includes('full_read_write')
  return given
    .filter(scope => !(wide && scope === 'full_read_only'))
    .map(scope => scopes[scope] ?? scope)
    .join(', ')
}
