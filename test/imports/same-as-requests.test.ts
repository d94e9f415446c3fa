import { fieldsFor, resources } from '@gatehouse-access/api'
import { csvLine } from '@gatehouse-access/core'
import { manyOr, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { diffOf, ended, fileOf, importFile, type Job, membersOf } from './importing.ts'

const owned = new AsyncDisposableStack()
let w: World

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
  owned.use(new JobRunner(w.server.context, jobTypes))
})
afterAll(() => owned.disposeAsync())

const groups = ['Staff', 'Pool', 'Sauna']
const tags = ['vip', 'blue']
const pins = ['40291837', '50382916', '60473825', '70564914']
const uids = ['04A1B2C3', '04A1B2C4', '04A1B2C5']
const emails = ['a@x.org', 'b@x.org', 'B@X.org', 'c@x.org', 'wrong@']

/** Few keys, PINs and cards, so that rows meet each other. Undefined is an empty cell, null and [] clear it. */
const rows = fc.record({
  external_id: fc.integer({ min: 0, max: 15 }).map(n => `K${n}`),
  name: maybe(fc.constantFrom('Ann', 'Bob, "B"', '=1+1', null)),
  email: maybe(fc.subarray(emails.slice(0, 4), { maxLength: 2 }), fc.constant<string[]>(['wrong@'])),
  groups: maybe(fc.subarray(groups), fc.constant<string[]>(['Nowhere'])),
  tags: maybe(fc.subarray(tags)),
  starts_at: maybe(fc.constantFrom('2031-01-01T00:00:00Z', '2031-06-01T00:00:00Z', null)),
  ends_at: maybe(fc.constantFrom('2031-03-01T00:00:00Z', '2031-09-01T00:00:00Z', null)),
  language: maybe(fc.constantFrom('de', 'pt-BR', 'not a language', null)),
  pin: maybe(fc.constantFrom(...pins, 'new', null)),
  card_uid: maybe(fc.subarray(uids, { maxLength: 2 })),
  magic_link: maybe(fc.constantFrom('new', null)),
  note: maybe(fc.constantFrom('one', "'-two", null)),
  is_deleted: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.boolean()),
})
type Wish = typeof rows extends fc.Arbitrary<infer Value> ? Value : never

function maybe<Value>(
  usual: fc.Arbitrary<Value>,
  wrong?: fc.Arbitrary<Value>,
): fc.Arbitrary<Value | undefined> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(undefined) },
    { weight: 20, arbitrary: usual },
    ...(wrong ? [{ weight: 1, arbitrary: wrong }] : []),
  )
}

const columns = [
  'external_id',
  'name',
  'email',
  'groups',
  'tags',
  'starts_at',
  'ends_at',
  'language',
  'pin',
  'card_uid',
  'magic_link',
  'note',
  'is_deleted',
] as const satisfies (keyof Wish)[]

function fileWith(wishes: readonly Wish[], isApart: boolean): string {
  const head = csvLine(columns.map(name => (name === 'note' ? 'metadata.note' : name)))
  const lines = wishes.map(wish => `${columns.map(name => cellOf(wish[name])).join()}\r\n`)
  return head + lines.map((line, index) => line + (isApart ? wrongRows(index) : '')).join('')
}

/** Rows that do nothing, but end the batch of the row before them now and then. */
function wrongRows(after: number): string {
  const line = (index: number) =>
    csvLine(
      columns.map(name =>
        name === 'external_id' ? `wrong ${after} ${index}` : name === 'email' ? 'wrong@' : '',
      ),
    )
  return Array.from({ length: 20 }, (_, index) => line(index)).join('')
}

/** `-` clears, so it stands in the file without an apostrophe. */
function cellOf(value: Wish[keyof Wish]): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-'
  return csvLine([Array.isArray(value) ? value.join(';') : value]).slice(0, -2)
}

/** Of two rows of a file with the same PIN or cards the later is refused, which requests have nothing like. */
function withoutRepeats(wishes: readonly Wish[]): Wish[] {
  const seen = new Set<string>()
  const areNew = (values: readonly string[]) => {
    const isNew = values.every(value => value === 'new' || !seen.has(value))
    for (const value of values) seen.add(value)
    return isNew
  }
  return wishes.map(wish => ({
    ...wish,
    pin: areNew(wish.pin ? [wish.pin] : []) ? wish.pin : undefined,
    card_uid: areNew(wish.card_uid ?? []) ? wish.card_uid : undefined,
  }))
}

interface Place extends Tenant {
  readonly ids: ReadonlyMap<string, string>
}

async function openPlace(): Promise<Place> {
  const tenant = await w.tenant()
  const ids = new Map<string, string>()
  for (const name of groups) ids.set(name, (await tenant.client.member_groups.create({ name })).id)
  for (const name of tags) ids.set(name, (await tenant.client.tags.create({ name })).id)
  return { ...tenant, ids }
}

/** Does what a row says by requests, all of it or nothing. Returns whether it was done. */
async function request(place: Place, wish: Wish, known: Map<string, string>): Promise<boolean> {
  // A cell that is no value of its column is wrong whatever the others say.
  if (wish.is_deleted && isWrong(wish)) return false
  const operations = await operationsOf(place, wish, known)
  if (operations.length === 0) return true
  const done = await place.client.bulk(operations, { atomic: true }).catch(error => {
    if (error.status !== 400) throw error
  })
  // Who has a PIN keeps it where a new one is asked for.
  const isAdded = operations.some(({ method, path }) => method === 'POST' && path.endsWith('/pins'))
  const isRemoved = wish.pin === null && wish.is_deleted !== true
  if (done && (isAdded || isRemoved)) known.set(wish.external_id, wish.pin ?? '')
  return done !== undefined
}

function isWrong({ email, language, starts_at, ends_at }: Wish): boolean {
  const isBackwards = starts_at && ends_at ? ends_at <= starts_at : false
  return email?.includes('wrong@') || language === 'not a language' || isBackwards
}

type Operation = Parameters<Tenant['client']['bulk']>[0][number]

async function operationsOf({ client, ids }: Place, wish: Wish, known: Map<string, string>) {
  const { external_id } = wish
  const expand = ['emails', 'pins', 'cards', 'group_associations', 'magic_links']
  type Held = Awaited<ReturnType<typeof membersOf>> extends Map<string, infer Member> ? Member : never
  const { data } = await client.members.list<Held>({ external_id, is_deleted: 'any', expand })
  const [held] = data as Held[]
  if (wish.is_deleted === true)
    return held && !held.is_deleted ? [{ method: 'DELETE' as const, path: `/members/${held.id}` }] : []
  const idOf = (name: string) => ids.get(name) ?? 'mg_00000000000000000000'
  const path = held ? `/members/${held.id}` : '/members/$member.id'
  const remove = (kind: string, gone: readonly { readonly id: string }[]): Operation[] =>
    gone.map(({ id }) => ({ method: 'DELETE', path: `${path}/${kind}/${id}` }))
  const add = (kind: string, body: object): Operation => ({ method: 'POST', path: `${path}/${kind}`, body })
  const { name, starts_at, ends_at, language, tags: tagged, note } = wish
  const member = Object.fromEntries(
    Object.entries({
      name,
      starts_at,
      ends_at,
      language,
      tag_ids: tagged?.map(idOf),
      metadata: note === undefined ? undefined : { note },
    }).filter(([, value]) => value !== undefined),
  )
  const wanted = wish.email && [...new Map(wish.email.map(one => [one.toLowerCase(), one])).values()]
  const lower = wanted?.map(one => one.toLowerCase())
  const operations: Operation[] = [
    {
      id: 'member',
      method: 'POST',
      path: '/grants',
      body: {
        external_id,
        member,
        member_group_ids:
          wish.groups?.map(idOf) ?? held?.group_associations.map(one => one.member_group_id) ?? [],
        credentials: {
          ...(wanted && wanted.length > 0 && { emails: wanted }),
          ...(wish.magic_link === 'new' && !held?.magic_links.length && { magic_link: true }),
        },
      },
    },
    ...remove(
      'emails',
      lower ? (held?.emails.filter(one => !lower.includes(one.email.toLowerCase())) ?? []) : [],
    ),
    ...remove('magic_links', wish.magic_link === null ? (held?.magic_links ?? []) : []),
  ]
  if (wish.card_uid) {
    const uidsHeld = held?.cards ?? []
    operations.push(
      ...remove(
        'cards',
        uidsHeld.filter(one => !wish.card_uid?.includes(one.uid ?? '')),
      ),
    )
    for (const uid of wish.card_uid)
      if (!uidsHeld.some(one => one.uid === uid)) operations.push(add('cards', { uid }))
  }
  const pinsHeld = held?.pins ?? []
  if (wish.pin === null) operations.push(...remove('pins', pinsHeld))
  else if (wish.pin === 'new') operations.push(...(pinsHeld.length === 0 ? [add('pins', {})] : []))
  else if (wish.pin !== undefined && !(pinsHeld.length === 1 && known.get(external_id) === wish.pin))
    operations.push(...remove('pins', pinsHeld), add('pins', { pin: wish.pin }))
  return operations
}

/** Everything of an organization, without what differs between two: ids and times of writing. */
async function stateOf(place: Place) {
  const members = await membersOf(place)
  const names = new Map([...place.ids].map(([name, id]) => [id, name]))
  for (const [key, { id }] of members) names.set(id, key)
  const bare = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll(/[a-z]+_[0-9A-Za-z]{20}/g, id => names.get(id) ?? id.split('_', 1)[0] ?? '')
      .replaceAll(/"(created_at|recorded_at)":"[^"]*"/g, '')
  const events: string[] = []
  for await (const { verb, object } of place.client.events.all({}))
    if (object.type !== 'job') {
      const { job_id: _, ...told } = object as Record<string, unknown>
      events.push(bare([verb, told]))
    }
  const all = [...members].map(([key, { emails, pins, cards, magic_links, group_associations, ...own }]) => {
    const held = [emails, pins, cards, magic_links, group_associations]
    return [key, [bare(own), ...held.map(list => list.map(bare).toSorted())]]
  })
  return { members: Object.fromEntries(all.toSorted()), events: events.toSorted() }
}

type Shown = Map<string, Record<string, unknown>>

/** Members as a diff tells of them, by their external ids. */
async function shownOf(place: Place): Promise<Shown> {
  const shown: Shown = new Map()
  for (const [key, member] of await membersOf(place))
    shown.set(key, {
      external_id: key,
      ...Object.fromEntries(editable.map(([name]) => [name, member[name as keyof typeof member] ?? null])),
      emails: member.emails.map(one => one.email),
      pin_ids: member.pins.map(one => one.id),
      magic_link_ids: member.magic_links.map(one => one.id),
      card_ids: member.cards.map(one => one.card_id),
      member_group_ids: member.group_associations.map(one => one.member_group_id),
    })
  return shown
}

const editable = fieldsFor(resources.member, 'edit')
const nothing: Record<string, unknown> = {
  ...Object.fromEntries(editable.map(([name]) => [name, null])),
  ...{ emails: [], pin_ids: [], magic_link_ids: [], card_ids: [], member_group_ids: [] },
}

/** Lists in one order, and without the ids of what does not exist before. */
function comparable(shown: Shown, known: ReadonlySet<string>) {
  const bare = (value: unknown) =>
    Array.isArray(value)
      ? value.map(one => (/^(mp|mml|crd)_/.test(one) && !known.has(one) ? 'new' : one)).toSorted()
      : value
  const members = [...shown].map(([key, values]) => [
    key,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bare(value)])),
  ])
  return Object.fromEntries(members.toSorted())
}

/** Tries a file and starts it. What is there afterwards is what was there, changed by the diff, and by nothing else. */
async function importAsShown(place: Place, file: string): Promise<Job> {
  const before = await shownOf(place)
  const known = new Set([...before.values()].flatMap(values => Object.values(values).flat().map(String)))
  for await (const { id } of place.client.cards.all({})) known.add(id)
  const dry = await importFile(place, file, { dry_run: true })
  const diff = await diffOf(place, dry)
  const [told, expected] = [new Map(before), new Map(before)]
  for (const { external_id, before: was, after } of diff) {
    const key = String(external_id)
    if (was) told.set(key, { ...before.get(key), ...was })
    expected.set(key, { ...(before.get(key) ?? nothing), ...after })
  }
  expect(comparable(told, known)).toEqual(comparable(before, known))
  const job = await ended(place.client, (await place.client.jobs.start(dry.id)).id)
  expect(job.summary).toEqual(dry.summary)
  expect(comparable(await shownOf(place), known)).toEqual(comparable(expected, known))
  return job
}

test.each(
  Array.from({ length: manyOr(2) }, (_, index) => index + 1).flatMap(seed =>
    ['in one batch', 'in several'].map(batches => [batches, seed] as const),
  ),
)(
  'random rows %s do what their dry run shows, and the same by an import as by requests, with the same events (%i)',
  within(60),
  async (batches, seed) => {
    const [imported, asked] = [await openPlace(), await openPlace()]
    const known = new Map<string, string>()
    const rounds = fc.sample(fc.uniqueArray(rows, { selector: row => row.external_id, minLength: 10 }), {
      seed,
      numRuns: 4,
    })
    for (const wishes of rounds.map(withoutRepeats)) {
      w.clock.advance(24 * 3600)
      const job = await importAsShown(imported, fileWith(wishes, batches === 'in several'))
      const errors = await fileOf(imported, job, 'errors.csv')
      const refused: string[] = []
      for (const wish of wishes) if (!(await request(asked, wish, known))) refused.push(wish.external_id)
      expect(
        errors
          .split('\r\n')
          .slice(1, -1)
          .map(line => line.split(',', 1)[0])
          .filter(key => !key?.startsWith('wrong')),
        errors,
      ).toEqual(refused)
      expect(await stateOf(imported)).toEqual(await stateOf(asked))
    }
  },
)
