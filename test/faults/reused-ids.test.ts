import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client, createClient } from '@gatehouse-access/sdk'
import { findFreePort, openAccess, startService, within } from '@gatehouse-access/testkit'
import { describe, expect, it } from 'vitest'
import { EdgeChild } from '../devices/edge-child.ts'
import { type Cluster, embeddedCluster, installedCluster } from './cluster.ts'

/** `npm run soak -- 200 crashes` runs many, also on Debian's PostgreSQL release. */
const asked = Number(process.env.GATEHOUSE_SEEDS ?? 0)
const crashes = asked || 2
const installed = process.env.GATEHOUSE_POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin'

/**
 * A crash loses asynchronous commits, and PostgreSQL reuses their transaction ids. A component that compares
 * an id with an earlier snapshot takes the changes right after recovery as already seen: a revoked PIN would
 * open.
 */
describe('changes right after a crash of PostgreSQL count, at the service and at a door', () => {
  it.runIf(asked > 0)(`the embedded one, ${crashes} times`, within(60), () =>
    crashRepeatedly(embeddedCluster),
  )
  it.runIf(asked > 0 && existsSync(installed))(`${installed}, ${crashes} times`, within(60), () =>
    crashRepeatedly(() => installedCluster(installed)),
  )
})

async function crashRepeatedly(open: () => Promise<Cluster>): Promise<void> {
  await using owned = new AsyncDisposableStack()
  const cluster = owned.use(await open())
  const stage = await setStage(cluster, owned)
  const wrong: string[] = []
  for (let round = 0; round < crashes; round++) {
    const victim = round % 2 === 0 ? 'postmaster' : 'backend'
    for (const problem of await crashOnce(stage, cluster, victim))
      wrong.push(`${round}, ${victim}: ${problem}`)
    if (asked > 0 && round % 10 === 9) process.stdout.write(`${round + 1} crashes, ${wrong.length} wrong\n`)
  }
  process.stdout.write(`${crashes} crashes, ${wrong.length} wrong decisions\n`)
  expect(wrong).toEqual([])
}

type Stage = Awaited<ReturnType<typeof setStage>>

/** Starts a service, and a real controller at its door. */
async function setStage(cluster: Cluster, owned: AsyncDisposableStack) {
  const service = owned.use(await startService({ port: await findFreePort(), env: cluster.env }))
  const client = await openClient(cluster, service.url)
  const site = await client.sites.create({ name: 'House', timezone: 'UTC' })
  const hardware_id = 'hw_CRASHES'
  const device = await client.devices.create({
    name: 'C',
    site_id: site.id,
    product_id: 'controller',
    hardware_id,
  })
  const door = await client.gadgets.create({ name: 'Door', device_id: device.id })
  const group = await client.member_groups.create({ name: 'Staff', permissions: [{ gadget_id: door.id }] })
  const { secret } = await client.devices.issue_credentials(device.id)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-crashes-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  const edge = owned.use(new EdgeChild({ url: service.url, hardware_id, secret, folder, ahead: 0 }))
  await edge.waitFor(({ is_live, version }) => is_live && version !== null)
  return { client, edge, door_id: door.id, group_id: group.id }
}

async function openClient(cluster: Cluster, url: string): Promise<Client> {
  await using db = cluster.connect()
  const { token } = await openAccess(db)
  return createClient({ base_url: `${url}/v2`, token, retries: 0 })
}

/** Ways to revoke a person's access. Each causes a different kind of event. */
const revocations: ((client: Client, person: Person) => Promise<unknown>)[] = [
  (client, { id, pin_id }) => client.member_pins.delete(id, pin_id),
  (client, { id, association_id }) => client.member_group_associations.delete(id, association_id),
  (client, { id }) => client.members.delete(id),
]

async function crashOnce(
  stage: Stage,
  cluster: Cluster,
  victim: 'postmaster' | 'backend',
): Promise<string[]> {
  const { client } = stage
  const people = await Promise.all(revocations.map(() => insist(() => admit(stage))))
  const killed = await insist(() => choose(cluster, victim))
  await insist(() => client.members.edit(people[0]?.id as string, { name: 'Renamed' }))
  // A synchronous commit also flushes all earlier commits, so everything settles first.
  await Promise.all(people.map(person => settle(stage, person)))
  await insist(() => ringLikeOthers(cluster))
  await Promise.all([sleep(12), insist(() => check(stage, people[0] as Person))])
  process.kill(killed, 'SIGKILL')
  await Promise.all(revocations.map((revoke, index) => insist(() => revoke(client, people[index] as Person))))
  const late = await insist(() => admit(stage))
  const outside = await Promise.all(people.map((person, index) => holdOut(stage, person, index)))
  return [...outside.flat(), ...(await letIn(stage, late))]
}

async function holdOut(stage: Stage, person: Person, index: number): Promise<string[]> {
  const isLetIn = await insist(() => check(stage, person))
  await settle(stage, person)
  const answer = await stage.edge.decide(person.pin, stage.door_id)
  return [
    ...(isLetIn ? [`the service lets in ${index}`] : []),
    ...(answer === null ? [`the door lets in ${index}: ${await describeSync(stage, person)}`] : []),
  ]
}

/** Describes a failure: what the service believes about the door, and what the door decides two seconds later. */
async function describeSync({ client, edge, door_id }: Stage, { id, pin }: Person): Promise<string> {
  const sync = await client.members.sync(id)
  await sleep(2000)
  return JSON.stringify({ sync, later: await edge.decide(pin, door_id), status: await edge.status() })
}

async function letIn(stage: Stage, person: Person): Promise<string[]> {
  const isLetIn = await insist(() => check(stage, person))
  await settle(stage, person)
  const answer = await stage.edge.decide(person.pin, stage.door_id)
  return [
    ...(isLetIn ? [] : ['the service keeps out who may come in']),
    ...(answer === null ? [] : [`the door says ${answer} to who may come in`]),
  ]
}

/** Commits what other processes of a service commit on an event. None of it is synchronous. */
async function ringLikeOthers(cluster: Cluster): Promise<void> {
  await using db = cluster.connect()
  const ring = `SELECT pg_notify('gatehouse_events', ''), pg_current_xact_id(), set_config('synchronous_commit', 'off', true)`
  await Promise.all(Array.from({ length: 30 }, () => db.query(ring)))
}

/** Returns the postmaster, or one of the service's backends, as the OOM killer might pick it. */
async function choose(cluster: Cluster, victim: 'postmaster' | 'backend'): Promise<number> {
  if (victim === 'postmaster') return cluster.postmaster() as number
  await using db = cluster.connect()
  const rows = await db.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state = 'idle'`,
  )
  return rows[0]?.pid as number
}

interface Person {
  readonly id: string
  readonly pin: string
  readonly pin_id: string
  readonly association_id: string
}

/** Never reuses a PIN: a new member could otherwise get the PIN of a revoked one, and open the door. */
function nextPin(): string {
  return String(lastPin++)
}
let lastPin = 200_000

async function admit({ client, group_id }: Stage): Promise<Person> {
  const { id } = await client.members.create({ name: 'Somebody' })
  const association = await client.member_group_associations.create(id, { member_group_id: group_id })
  const { id: pin_id, pin } = await client.member_pins.create(id, { pin: nextPin() })
  return { id, pin, pin_id, association_id: association.id }
}

/** Returns whether the service admits the person, both as a member and with the PIN. */
async function check({ client, door_id }: Stage, { id, pin_id }: Person): Promise<boolean> {
  const place = { gadget_id: door_id, action_id: 'open' }
  const [member, credential] = await Promise.all([
    client.access_checks.create({ ...place, member_id: id }),
    client.access_checks.create({ ...place, credential_id: pin_id }),
  ])
  return member.allowed && credential.allowed
}

/**
 * Waits until the service reports that the door has all changes of a person. Gives up after a while, in case
 * they never arrive.
 */
async function settle({ client }: Stage, { id }: Person): Promise<void> {
  for (let wait = 0; wait < 1000; wait++) {
    const { state } = await insist(() => client.members.sync(id))
    if (state !== 'pending') return
    await sleep(10)
  }
}

/**
 * Retries while the database is down. A 404 after a failed attempt means that the attempt succeeded without a
 * response; a 404 at once means that an acknowledged write is lost.
 */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (let hasFailed = false; ; hasFailed = true)
    try {
      return await work()
    } catch (error) {
      if (error instanceof ApiError && error.status === 404 && hasFailed) return undefined as T
      if (error instanceof ApiError && ![409, 500, 503].includes(error.status)) throw error
      await sleep(3)
    }
}
