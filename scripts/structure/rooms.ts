import { dirname } from 'node:path'
import type { Source } from './sources.ts'

const base = 'packages/server/src/'

/**
 * The rooms of the server, lowest first. A file may import from its own room and from earlier rooms in this
 * list, never from later ones. A folder that is not listed belongs to its nearest listed ancestor.
 */
const order: readonly string[] = [
  // Independent of the rest of the service.
  'texts',
  'flow',
  'ics',
  'holidays',
  'vault',
  'network',
  'config',
  // The database and its monitoring.
  'database/postgres/wire',
  'database/postgres/login',
  'database/postgres',
  'database',
  'monitoring',
  'database/embedded',
  // What is known of time zones.
  'zones',
  // What is stored, and what processes it.
  'store/edits',
  'store',
  'store/migration',
  'events',
  'policy',
  'doors',
  // Who is told of alarms, and when.
  'telling',
  'alarms',
  'alarms/sources',
  'alarms/following',
  'outbound',
  'mail',
  // What is wrong with the installation itself.
  'operator',
  'certificates/acme',
  'certificates',
  'audit',
  'audit/amendments',
  'audit/verify',
  'erasing',
  'recovery/ledger',
  'recovery',
  'devices',
  'devices/commands',
  'devices/modes',
  'devices/policy',
  'devices/slices',
  'devices/journal',
  'devices/gateway',
  'devices/virtual',
  'devices/following',
  'delivery/stream',
  'delivery/webhooks',
  'delivery',
  // How people are told.
  'channels',
  'push',
  // The operations.
  'services/objects',
  'services/mail',
  'services/roles',
  'services/keys',
  'services/places',
  'services/calendars',
  'services/doors',
  'services/alarms',
  'services/members',
  'services/accounts',
  'services/push',
  'telling/sending',
  'services/applications',
  'services/jobs',
  'services/exports',
  'services/imports/rows',
  'services/imports/members',
  'services/imports',
  'services/bulk',
  'services/organizations',
  'services/access',
  'services/guests',
  'services/erasures',
  'services/reports',
  'services/privacy',
  'services',
  'test-data',
  'demo',
  'backup/archive',
  'backup/folder',
  'backup/physical',
  'backup/logical',
  'backup/restore',
  'backup/convert',
  'backup/verify',
  'backup',
  'moving',
  'jobs',
  // The HTTP interface.
  'http/turnstile',
  'http/kit',
  'http/browser',
  'oauth',
  'http/api',
  'http/stream',
  'http/export',
  'http/imports',
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

/** Returns imports from a later room as sentences. */
export function findUpward(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith(base))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ to }) => to.startsWith(base) && rank(to) > rank(path))
        .map(({ to }) => `${path} imports ${to}, of a room above its own (scripts/structure/rooms.ts)`),
    )
}

/** Returns server folders, and files at its root, that belong to no room. */
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
