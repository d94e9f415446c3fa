import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { program_dir } from '../../config/place.ts'

/** A guide: a document of `docs/`. */
export interface Guide {
  readonly name: string
  readonly title: string
  readonly text: string
}

/** What belongs together, in the order in which it is listed. */
export const guideGroups: Readonly<Record<string, readonly string[]>> = {
  Integrate: ['api', 'command', 'webhooks', 'stream', 'events', 'errors', 'bulk', 'jobs', 'import', 'export'],
  Access: ['access', 'calendars', 'door-modes', 'door-monitoring', 'alarms', 'alarm-causes', 'notifications'],
  'For administrators': ['console', 'reports'],
  Guests: ['guest-page', 'member-api'],
  Hardware: ['edge', 'device-protocol'],
  'Accounts and privacy': ['accounts', 'privacy', 'audit', 'security'],
  Operate: ['install', 'settings', 'operations', 'backup', 'moving', 'tls', 'high-availability', 'scale'],
}

/** Read once, when the service starts: later it may no longer be allowed to. */
export function readGuides(folder = join(program_dir, 'docs')): ReadonlyMap<string, Guide> {
  const names = readdirSync(folder).flatMap(file => (file.endsWith('.md') ? [file.slice(0, -3)] : []))
  return new Map(names.map(name => [name, readGuide(name, readFileSync(join(folder, `${name}.md`), 'utf8'))]))
}

function readGuide(name: string, text: string): Guide {
  return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text }
}

/** The groups with their guides. What is in none comes last. */
export function groupGuides(
  guides: ReadonlyMap<string, Guide>,
): readonly (readonly [string, readonly Guide[]])[] {
  const grouped = new Set(Object.values(guideGroups).flat())
  const others = [...guides.keys()].filter(name => !grouped.has(name))
  return Object.entries({ ...guideGroups, Other: others }).flatMap(([group, names]) => {
    const found = names.flatMap(name => guides.get(name) ?? [])
    return found.length > 0 ? [[group, found] as const] : []
  })
}
