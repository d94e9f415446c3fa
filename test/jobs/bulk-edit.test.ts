import type { BulkEditBody } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  owned.use(new JobRunner(w.server.context, jobTypes))
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

async function plant(count: number, more: (at: number) => object = () => ({})): Promise<string[]> {
  const results = await tenant.client.bulk(
    Array.from({ length: count }, (_, at) => ({
      method: 'POST' as const,
      path: '/members',
      body: { name: `Member ${at}`, ...more(at) },
    })),
  )
  return results.map(({ body }) => (body as { id: string }).id)
}

async function edit(body: Omit<BulkEditBody, 'kind'>) {
  const { id } = await tenant.client.bulk.edit({ kind: 'members', ...body })
  return tenant.client.jobs.wait(id)
}

const refusal = (body: Omit<BulkEditBody, 'kind'>) =>
  tenant.client.bulk.edit({ kind: 'members', ...body }).then(
    () => 'none',
    error => [error.status, error.args.field],
  )

async function snapshot() {
  const members = []
  const query = { expand: ['group_associations'], sort: 'created_at:asc', is_deleted: 'any' } as const
  for await (const member of tenant.client.members.all(query)) members.push(member)
  return members
}

test('a dry run counts and changes nothing; the edit changes as many, once; its undo sets all back', async () => {
  const { client } = tenant
  const tag = await client.tags.create({ name: 'Course' })
  const old = await client.tags.create({ name: 'Old' })
  const group = await client.member_groups.create({ name: 'Guests' })
  const other = await client.member_groups.create({ name: 'Others' })
  const ids = await plant(14, at => (at < 12 ? { tag_ids: [old.id] } : {}))
  for (const id of ids.slice(0, 2)) {
    await client.member_group_associations.create(id, { member_group_id: group.id })
    await client.member_group_associations.create(id, { member_group_id: other.id })
  }
  const before = await snapshot()
  const change = {
    add_tag_ids: [tag.id],
    remove_tag_ids: [old.id],
    add_member_group_ids: [group.id],
    remove_member_group_ids: [other.id],
    ends_at: '2030-01-01T00:00:00.000000Z',
  }
  const filter = { tag_ids: old.id }
  const tried = await edit({ filter, change, dry_run: true })
  expect(tried).toMatchObject({
    state: 'awaiting',
    progress: { total: 12, done: 12, succeeded: 12, failed: 0 },
    summary: { updated: 12 },
  })
  expect(await snapshot()).toEqual(before)
  const done = await edit({ filter, change, expected_count: 12 })
  expect(done).toMatchObject({
    state: 'succeeded',
    progress: { total: 12, done: 12 },
    summary: { updated: 12 },
  })
  const after = await snapshot()
  expect(after.slice(12)).toEqual(before.slice(12))
  expect(new Set(after.slice(0, 12).map(({ tag_ids, ends_at }) => `${tag_ids} ${ends_at}`))).toEqual(
    new Set([`${tag.id} ${change.ends_at}`]),
  )
  const groups = await client.member_group_associations.list(ids[0] ?? '')
  expect(groups.data.map(({ member_group_id }) => member_group_id)).toEqual([group.id])
  const { data: events } = await client.events.list({
    'object.job_id': done.id,
    'object.type': 'member',
    limit: 1,
  })
  expect(events[0]).toMatchObject({
    verb: 'edit',
    subject: { oauth_application_id: tenant.oauth_application_id },
  })
  await client.members.edit(ids[5] ?? '', { name: 'Changed since' })
  const undone = await client.jobs.wait((await client.jobs.undo(done.id)).id)
  expect(undone).toMatchObject({ state: 'succeeded', progress: { succeeded: 11, skipped: 1 } })
  const back = await snapshot()
  expect(back[5]).toMatchObject({ name: 'Changed since', tag_ids: [tag.id] })
  expect(back.toSpliced(5, 1)).toEqual(before.toSpliced(5, 1))
})

test('an undo names and leaves alone members whose fields or groups were changed by hand', async () => {
  const { client } = tenant
  const [staff, pool] = [
    await client.member_groups.create({ name: 'Staff' }),
    await client.member_groups.create({ name: 'Pool' }),
  ]
  const [ann = '', bob = '', cat = '', dan = ''] = await plant(4)
  for (const id of [ann, bob, cat, dan])
    await client.member_group_associations.create(id, { member_group_id: staff.id })
  await client.members.delete(dan)
  const change = { add_member_group_ids: [pool.id], remove_member_group_ids: [staff.id] }
  const done = await edit({ filter: { is_deleted: 'any' }, change, expected_count: 4 })
  expect(done.progress).toMatchObject({ succeeded: 3, skipped: 1 })
  expect(await (await client.jobs.file(done.id, 'errors.csv')).text()).toBe(
    `member_id,problem\r\n${dan},is deleted\r\n`,
  )
  await client.members.edit(bob, { name: 'Bob' })
  const tried = await client.jobs.wait((await client.jobs.undo(done.id, { dry_run: true })).id)
  expect(tried).toMatchObject({ state: 'awaiting', progress: { skipped: 1 } })
  const { data } = await client.member_group_associations.list(ann)
  await client.member_group_associations.delete(ann, data[0]?.id ?? '')
  await client.member_group_associations.create(ann, { member_group_id: staff.id })
  expect(await client.jobs.start(tried.id).catch(error => error.status)).toBe(412)
  const held = await snapshot()
  const again = await client.jobs.wait((await client.jobs.undo(done.id, { dry_run: true })).id)
  const undone = await client.jobs.wait((await client.jobs.start(again.id)).id)
  for (const job of [again, undone]) {
    expect(job.progress).toMatchObject({ succeeded: 2, skipped: 2 })
    expect(job.notices).toEqual([bob, ann].map(id => `${id} has changed since, and is left as it is.`))
    const errors = await (await client.jobs.file(job.id, 'errors.csv')).text()
    expect(errors.split('\r\n').map(line => line.split(',')[0])).toEqual(['member_id', bob, ann, ''])
  }
  const after = await snapshot()
  expect(after.filter(({ id }) => id !== cat)).toEqual(held.filter(({ id }) => id !== cat))
  const groups = await client.member_group_associations.list(cat)
  expect(groups.data.map(({ member_group_id }) => member_group_id)).toEqual([staff.id])
})

test('all are reached, however many reads it takes, also when they no longer match once they are changed', async () => {
  await plant(103)
  const filter = { 'metadata.source': 'pms' }
  await plant(2, () => ({ metadata: { source: 'pms' } }))
  const all = await edit({
    filter: { is_deleted: 'false' },
    change: { is_deleted: true },
    expected_count: 105,
  })
  expect(all).toMatchObject({
    state: 'succeeded',
    progress: { total: 105, done: 105 },
    summary: { deleted: 105 },
  })
  expect((await edit({ filter, change: { is_deleted: true }, dry_run: true })).progress.total).toBe(0)
})

test('members are deleted only if as many match as were seen, and can be restored by an undo', async () => {
  const ids = await plant(7)
  const change = { is_deleted: true }
  expect(await refusal({ filter: {}, change, expected_count: 6 })).toEqual([412, 'expected_count'])
  expect(await refusal({ filter: {}, change, expected_count: 8 })).toEqual([412, 'expected_count'])
  expect(await refusal({ filter: {}, change })).toEqual([400, 'expected_count'])
  expect((await snapshot()).filter(({ is_deleted }) => is_deleted)).toEqual([])
  const some = await edit({ ids: ids.slice(0, 3), change, expected_count: 3 })
  expect(some.summary).toMatchObject({ deleted: 3 })
  const tried = await edit({ filter: {}, change, dry_run: true })
  expect(tried.progress.total).toBe(4)
  await plant(1)
  const moved = await tenant.client.jobs.start(tried.id).catch(error => error.status)
  expect(moved).toBe(412)
  const undone = await tenant.client.jobs.wait((await tenant.client.jobs.undo(some.id)).id)
  expect(undone.summary).toMatchObject({ restored: 3 })
  expect((await snapshot()).filter(({ is_deleted }) => is_deleted)).toEqual([])
})

test('a member that is refused is named, and the others are changed', async () => {
  const [first = '', second = '', third = ''] = await plant(3, at =>
    at === 1 ? { starts_at: '2031-01-01T00:00:00Z' } : {},
  )
  const change = { ends_at: '2030-06-01T00:00:00.000000Z' }
  const job = await edit({ filter: {}, change, expected_count: 3 })
  expect(job).toMatchObject({ state: 'partly_succeeded', progress: { succeeded: 2, failed: 1 } })
  const all = await snapshot()
  expect(all.map(({ id, ends_at }) => [id, ends_at])).toEqual([
    [first, change.ends_at],
    [second, null],
    [third, change.ends_at],
  ])
  const file = await fetch(`${w.url}/v2/jobs/${job.id}/files/errors.csv`, {
    headers: { authorization: `Bearer ${tenant.token}` },
  })
  expect(await file.text()).toMatch(new RegExp(`^member_id,problem\r\n${second},.*ends_at.*\r\n$`))
})

test('a quota that stops a row in the middle leaves nothing of the row', async () => {
  await using small = await world({ quotas: { 'member.member_group_association': 1 } })
  await using _ = new JobRunner(small.server.context, jobTypes)
  const { client } = await small.tenant()
  const groups = [
    await client.member_groups.create({ name: 'A' }),
    await client.member_groups.create({ name: 'B' }),
  ]
  const member = await client.members.create({})
  const { id } = await client.bulk.edit({
    kind: 'members',
    filter: {},
    change: { add_member_group_ids: groups.map(({ id }) => id), ends_at: '2030-01-01T00:00:00Z' },
    expected_count: 1,
  })
  expect(await client.jobs.wait(id)).toMatchObject({ state: 'partly_succeeded', progress: { failed: 1 } })
  expect((await client.members.get(member.id)).ends_at).toBeNull()
  expect((await client.member_group_associations.list(member.id)).data).toEqual([])
})

test('what is wrong is refused before there is a job', async () => {
  const other = await w.tenant()
  const theirs = await other.client.tags.create({ name: 'Theirs' })
  const member = await other.client.members.create({})
  const tag = await tenant.client.tags.create({ name: 'Doors', applies_to: ['gadget'] })
  const change = { ends_at: null }
  expect(await refusal({ change, dry_run: true })).toEqual([400, 'filter'])
  expect(await refusal({ filter: {}, ids: [member.id], change, dry_run: true })).toEqual([400, 'filter'])
  expect(await refusal({ filter: { limit: '5' }, change, dry_run: true })).toEqual([400, 'filter.limit'])
  expect(await refusal({ filter: { nothing: '5' }, change, dry_run: true })).toEqual([400, 'nothing'])
  expect(await refusal({ ids: [member.id], change, dry_run: true })).toEqual([400, 'ids.0'])
  const wrong: [object, string][] = [
    [{}, 'change'],
    [{ is_deleted: false }, 'change.is_deleted'],
    [{ is_deleted: true, ends_at: null }, 'change.is_deleted'],
    [{ add_tag_ids: [theirs.id] }, 'change.add_tag_ids.0'],
    [{ add_tag_ids: [tag.id] }, 'tag_ids'],
    [{ add_tag_ids: [tag.id], remove_tag_ids: [tag.id] }, 'change.add_tag_ids'],
  ]
  for (const [one, field] of wrong)
    expect(await refusal({ filter: {}, change: one, dry_run: true })).toEqual([400, field])
  expect((await tenant.client.jobs.list()).data).toEqual([])
})

test('a token that only reads can try an edit, and nothing else', async () => {
  const reader = tenant.clientWith(['full_read_only'])
  const body = { kind: 'members', filter: {}, change: { is_deleted: true } } as const
  const refused = (call: Promise<unknown>) =>
    call.then(
      () => 'none',
      error => error.type,
    )
  expect(await refused(reader.bulk.edit({ ...body, expected_count: 0 }))).toBe('permission_denied')
  const response = await fetch(`${w.url}/v2/bulk/edit?dry_run=true`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await tenant.tokenWith(['full_read_only'])}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  const job = (await response.json()) as { id: string; is_dry_run: boolean }
  expect([response.status, job.is_dry_run]).toEqual([200, true])
  expect((await tenant.client.jobs.wait(job.id)).state).toBe('awaiting')
})
