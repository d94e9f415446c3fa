import type { Client } from '@gatehouse-access/sdk'
import { collection, type Plural } from '../data/collections.ts'
import { t } from '../language/t.ts'

export interface Hit {
  readonly name: string
  readonly kind: string
  readonly path: string
}

const places: readonly (readonly [Plural, string, string])[] = [
  ['members', t('Member'), '/members'],
  ['gadgets', t('Door'), '/gadgets'],
  ['devices', t('Device'), '/devices'],
  ['sites', t('Site'), '/sites'],
  ['member_groups', t('Group'), '/groups'],
  ['schedules', t('Schedule'), '/schedules'],
  ['calendars', t('Calendar'), '/calendars'],
  ['unlock_rules', t('Unlock rule'), '/unlock-rules'],
  ['emergency_plans', t('Plan'), '/emergencies/plans'],
  ['alarm_rules', t('Alarm rule'), '/alarms/rules'],
  ['cards', t('Card'), '/cards'],
  ['tags', t('Tag'), '/tags'],
]

const prefixes: Record<string, Plural> = {
  mem: 'members',
  gad: 'gadgets',
  dev: 'devices',
  site: 'sites',
  mg: 'member_groups',
  sch: 'schedules',
  cal: 'calendars',
  ur: 'unlock_rules',
  ep: 'emergency_plans',
  em: 'emergencies',
  alr: 'alarm_rules',
  crd: 'cards',
  tag: 'tags',
}

interface Found {
  readonly id: string
  readonly name?: string | null
  readonly printed_code?: string | null
  readonly uid?: string | null
}

/**
 * Searches all kinds in parallel, for a few results of each. An id finds exactly its object, an email its
 * member.
 */
export async function searchEverything(
  client: Client,
  q: string,
  sees: (path: string) => boolean,
  signal: AbortSignal,
): Promise<Hit[]> {
  if (/^[a-z]+_[0-9a-z]{20}$/.test(q)) return findById(client, q, signal)
  const seen = places.filter(([, , path]) => sees(path))
  const [members] = seen.filter(([plural]) => plural === 'members')
  const found = await Promise.all([
    ...(q.includes('@') ? [look(client, members, { email: q }, signal)] : []),
    ...seen.map(place => look(client, place, { q }, signal)),
  ])
  const hits = found.flat()
  return hits.filter((hit, index) => hits.findIndex(({ path }) => path === hit.path) === index)
}

async function look(
  client: Client,
  place: (typeof places)[number] | undefined,
  query: object,
  signal: AbortSignal,
): Promise<Hit[]> {
  if (!place) return []
  const [plural, kind, path] = place
  const { data } = await collection(client, plural).list({ ...query, limit: 5, signal })
  return (data as readonly Found[]).map(item => ({ name: nameOf(item), kind, path: `${path}/${item.id}` }))
}

async function findById(client: Client, id: string, signal: AbortSignal): Promise<Hit[]> {
  const place = places.find(([plural]) => plural === prefixes[id.split('_', 1)[0] ?? ''])
  if (!place) return []
  const found = await collection(client, place[0])
    .get(id, { signal })
    .catch(() => undefined)
  return found ? [{ name: nameOf(found), kind: place[1], path: `${place[2]}/${id}` }] : []
}

function nameOf({ name, printed_code, uid, id }: Found): string {
  return name || printed_code || uid || id
}
