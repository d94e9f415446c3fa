import { dirname } from 'node:path'
import type { Source } from './sources.ts'

const base = 'packages/server/src/'

/**
 * The rooms of the server, the lowest first: a file imports from its own room and from rooms above it in this list, never from
 * one below. A folder that is not named belongs to the nearest one around it that is.
 */
const order: readonly string[] = [
  // Stand on nothing of the service.
  'texts',
  'flow',
  'vault',
  'network',
  'config',
  // The database and what is told of its troubles.
  'database/postgres/wire',
  'database/postgres/login',
  'database/postgres',
  'database',
  'monitoring',
  'database/embedded',
  // What is stored, and what follows it.
  'store',
  'events',
  'policy',
  'outbound',
  'mail',
  'audit',
  'audit/verify',
  'devices',
  'devices/commands',
  'devices/policy',
  'devices/journal',
  'devices/gateway',
  'devices/virtual',
  'delivery/stream',
  'delivery/webhooks',
  'delivery',
  // What can be done.
  'services/objects',
  'services/mail',
  'services/roles',
  'services/keys',
  'services/places',
  'services/members',
  'services/accounts',
  'services/applications',
  'services/organizations',
  'services/access',
  'services/guests',
  'services',
  'test-data',
  'demo',
  'jobs',
  // How it is asked for.
  'http/turnstile',
  'http/kit',
  'http/browser',
  'oauth',
  'http/api',
  'http/stream',
  'http/export',
  'http/devices',
  'http/member',
  'http/account',
  'http/pages',
  'http/pages/security',
  'http/reference',
  'http/web',
  'http',
  'start',
  '.',
]

/** Imports that run from a room to one above it, as sentences. */
export function findUpward(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith(base))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ to }) => to.startsWith(base) && rank(to) > rank(path))
        .map(({ to }) => `${path} imports ${to}, of a room above its own (scripts/structure/rooms.ts)`),
    )
}

/** Folders of the server, or files at its root, that belong to no room. */
export function findHomeless(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith(base) && rank(path) < 0)
    .map(({ path }) => `${path} is in no room (scripts/structure/rooms.ts)`)
}

function rank(path: string): number {
  for (let folder = dirname(path.slice(base.length)); ; folder = dirname(folder)) {
    const at = order.indexOf(folder)
    if (at >= 0 && (folder !== '.' || dirname(path.slice(base.length)) === '.')) return at
    if (folder === '.') return -1
  }
}
