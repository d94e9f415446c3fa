import type { Role } from '../session/session.ts'

export const roleWords: Record<Role, readonly [string, string]> = {
  owner: ['Owner', 'Full access, including deleting the organization and appointing owners'],
  administrator: ['Administrator', 'Full access, except deleting the organization and changing owners'],
  viewer: ['Viewer', 'Can see everything but change nothing'],
  front_desk: ['Front desk', 'Members, their credentials and the doors; no settings'],
  installer: ['Installer', 'Devices, doors and triggers; neither members nor events'],
}

const scopes: Record<string, string> = {
  full_read_write: 'Read and change everything',
  full_read_only: 'Read everything',
  members: 'Read and change members',
  'members:read': 'Read members',
  devices: 'Read and change devices and doors',
  'events:read': 'Read events',
  actions: 'Open doors',
  offline: 'stay connected',
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
