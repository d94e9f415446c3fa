import type { Role } from '../session/session.ts'

export const roleWords: Record<Role, readonly [string, string]> = {
  owner: ['Owner', 'Everything, also deleting the organization and making owners'],
  administrator: ['Administrator', 'Everything except deleting the organization and changing owners'],
  viewer: ['Viewer', 'Sees everything, changes nothing'],
}

const scopes: Record<string, string> = {
  full_read_write: 'Read and change everything',
  full_read_only: 'Read everything',
  offline: 'keep access',
}

/** What scopes allow, in words; the wider one contains the narrower. */
export function scopeWords(given: readonly string[]): string {
  const wide = given.includes('full_read_write')
  return given
    .filter(scope => !(wide && scope === 'full_read_only'))
    .map(scope => scopes[scope] ?? scope)
    .join(', ')
}
