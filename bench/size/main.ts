import { judge, measureInTurn, median, medianRatio, printTable } from '../figures.ts'
import { type Load, openLoad } from '../load.ts'
import { type Service, startService } from '../service.ts'
import { createTenant, type Tenant } from '../tenant.ts'
import { fillEvents, gadgetId, gadgets, subjectId, subjects } from './fill-events.ts'
import { fillMembers, run } from './fill-members.ts'
import { settle } from './settle.ts'
import { walk } from './walk.ts'

export interface Sizes {
  readonly members: number
  readonly events: number
}

const small: Sizes = { members: 10_000, events: 10_000 }
const tried = 5
const bound = 1.5

/** Each list has several paths, so that more than a single page is warm. */
const lists: Record<string, readonly string[]> = {
  members: ['/members?limit=20'],
  'events by object.gadget_id': spread(
    gadgets,
    index => `/events?limit=20&object.gadget_id=${gadgetId(index)}`,
  ),
  'events by subject.member_id': spread(
    subjects,
    index => `/events?limit=20&subject.member_id=${subjectId(index)}`,
  ),
}

function spread(count: number, path: (index: number) => string): string[] {
  return Array.from({ length: tried }, (_, index) => path(Math.floor((index * count) / tried)))
}

/**
 * Compares pages of a large database with those of a small one. Both run at the same time, so that they can
 * be measured in turn.
 */
export async function compareSizes(sizes: Sizes, seconds: number): Promise<void> {
  await using services = new AsyncDisposableStack()
  const [few, many] = [services.use(await startService()), services.use(await startService())]
  const fewHeaders = await fill(few, small)
  const manyHeaders = await fill(many, sizes)
  await settle(many.url)
  using load = openLoad()
  const firsts: string[][] = []
  const deeps: string[][] = []
  for (const [name, paths] of Object.entries(lists)) {
    const { page, paths: deepPaths } = await walk(many.url, paths, await manyHeaders())
    const { atFew, atMany, deep } = await measureInTurn({
      atFew: time(load, few, paths, await fewHeaders(), seconds),
      atMany: time(load, many, paths, await manyHeaders(), seconds),
      deep: time(load, many, deepPaths, await manyHeaders(), seconds),
    })
    firsts.push([name, show(atFew), show(atMany), ...judge(medianRatio(atMany, atFew), bound, 'at most')])
    deeps.push([
      `${name}, page ${page}`,
      show(atMany),
      show(deep),
      ...judge(medianRatio(deep, atMany), bound, 'at most'),
    ])
  }
  const title = `${sizes.members.toLocaleString('en')} members, ${sizes.events.toLocaleString('en')} events, one connection, median of 5 rounds in turn`
  printTable(title, ['first page of 20', 'ms at 10,000', 'ms', 'ratio', 'bound', 'holds'], firsts)
  printTable('By cursor', ['', 'ms of page 1', 'ms', 'ratio', 'bound', 'holds'], deeps)
  printTable(
    'Afterwards',
    ['', 'MB', 'bound', 'holds'],
    [['memory of the service', ...judge(await many.memory(), 250, 'at most', 0)]],
  )
}

/** Returns a function that creates headers on demand, because tokens expire after an hour. */
async function fill(
  { db }: Service,
  { members, events }: Sizes,
): Promise<() => Promise<Record<string, string>>> {
  const tenants: Tenant[] = []
  for (const name of ['Large', 'Second', 'Third', 'Fourth']) tenants.push(await createTenant(db, name))
  // Only for building indexes. Pages do not use it.
  await run(db, `ALTER SYSTEM SET maintenance_work_mem = '512MB'`)
  await run(db, 'SELECT pg_reload_conf()')
  const ids = tenants.map(({ organization_id }) => organization_id)
  await fillMembers(db, ids[0] as string, members)
  await fillEvents(db, ids, events)
  return async () => (await tenants[0]?.headers()) ?? {}
}

function time(
  load: Load,
  { url }: Service,
  paths: readonly string[],
  headers: Record<string, string>,
  seconds: number,
): () => Promise<number> {
  const requests = paths.map(path => ({ path: `/v2${path}`, headers }))
  return async () => 1000 / (await load.measure({ url, connections: 1, duration: seconds, requests }))
}

function show(times: readonly number[]): string {
  return median(times).toFixed(2)
}
