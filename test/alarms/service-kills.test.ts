import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@gatehouse-access/sdk'
import type { Pool } from '@gatehouse-access/server'
import {
  Chance,
  findFreePort,
  manyOr,
  openAccess,
  receiver,
  type Service,
  seed,
  soak,
  startService,
} from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { embeddedCluster } from '../faults/cluster.ts'
import { openSmtp } from '../telling/smtp.ts'
import {
  addControlledDoor,
  addVirtualDoor,
  type GuardedDoor,
  mailsTo,
  type Place,
  publishedTo,
} from './guarded-doors.ts'

const chance = new Chance(seed)

const kills = Math.max(3, manyOr(3))
/** Milliseconds. A door is forced after 2 s, and its message goes a second later. */
const longest = 6000
/** An organization has 100 targets at most; a round takes four. */
const roundsEach = 25

/** What had become of an alarm when the service was killed. */
const phases = ['no alarm yet', 'alarm, nobody queued', 'queued', 'message made', 'handed over'] as const
type Phase = (typeof phases)[number]

/** Spec, Acceptance 3. */
soak(
  `a service that is killed ${kills} times between contact and mail loses none, and repeats one at most`,
  async () => {
    await using owned = new AsyncDisposableStack()
    const smtp = owned.use(await openSmtp())
    const ntfy = owned.use(await receiver())
    const cluster = owned.use(await embeddedCluster())
    const options = { port: await findFreePort(), env: { ...cluster.env, GATEHOUSE_SMTP_URL: smtp.url } }
    let service: Service = await startService(options)
    owned.defer(async () => void (await service.terminate()))
    const db = owned.use(cluster.connect())
    const doors: (GuardedDoor & { place: Place; phase: Phase })[] = []
    let place: Place | undefined
    for (let round = 0; round < kills; round++) {
      if (!place || round % roundsEach === 0) place = { ...(await openPlace(db, service.url)), smtp, ntfy }
      await using controllers = new AsyncDisposableStack()
      const pair = [
        await addVirtualDoor(place, `virtual-${round}`),
        await addControlledDoor(place, `wired-${round}`, service.url, controllers),
      ]
      const moment = momentOf(round, place, pair)
      await Promise.all(pair.map(door => door.touch('open')))
      await moment
      await service.kill()
      smtp.hold = undefined
      ntfy.respond = 200
      for (const door of pair) doors.push({ ...door, place, phase: await phaseOf(db, door) })
      service = await startService(options)
      await expect.poll(() => hasAlarm(db, pair[1]), { timeout: 60_000 }).toBe(true)
    }
    const waiting = () =>
      doors
        .filter(({ address, topic }) => !mailsTo(smtp, address).length || !publishedTo(ntfy, topic).length)
        .map(({ name }) => name)
    await expect.poll(waiting, { timeout: 180_000, interval: 1000 }).toEqual([])
    await expect.poll(() => countPending(db), { timeout: 180_000, interval: 1000 }).toBe(0)
    const problems: string[] = []
    for (const { name, gadget_id, place, address, topic } of doors) {
      const { data } = await place.client.alarms.list({ gadget_id })
      if (data.length !== 1 || data[0]?.type !== 'door_forced' || data[0].occurrence_count !== 1)
        problems.push(
          `${name} has ${data.length} alarms: ${data.map(alarm => `${alarm.type} × ${alarm.occurrence_count}`)}`,
        )
      for (const count of [mailsTo(smtp, address).length, publishedTo(ntfy, topic).length])
        if (count > 2) problems.push(`${name} was told ${count} times`)
    }
    print(
      doors.map(({ phase, address, topic }) => ({
        phase,
        mails: mailsTo(smtp, address).length,
        published: publishedTo(ntfy, topic).length,
      })),
    )
    expect(problems).toEqual([])
  },
)

/**
 * When to kill: at random, and every other time at the worst moment, when a mail or a message has been taken and the
 * service has not been told so.
 */
function momentOf(round: number, { smtp, ntfy }: Place, pair: readonly GuardedDoor[]): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const never = new Promise(() => undefined)
  const name = pair[Math.floor(round / 4) % 2]?.name ?? ''
  if (round % 4 === 1)
    smtp.hold = ({ subject }) => {
      if (!subject?.includes(name)) return undefined
      resolve()
      return never
    }
  else if (round % 4 === 3)
    ntfy.respond = (response, { event }) => {
      if (event.topic === name) resolve()
      else response.writeHead(200).end()
    }
  else return sleep(chance.between(0, longest))
  return promise
}

async function openPlace(db: Pool, url: string) {
  const { token } = await openAccess(db)
  const client = createClient({ base_url: `${url}/v2`, token })
  const { id: site_id } = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  return { client, site_id }
}

async function hasAlarm(db: Pool, door: GuardedDoor | undefined): Promise<boolean> {
  const rows = await db.query('SELECT 1 FROM alarms WHERE gadget_id = $1', [door?.gadget_id])
  return rows.length > 0
}

async function phaseOf(db: Pool, { gadget_id }: GuardedDoor): Promise<Phase> {
  const [row] = await db.query<{ queued: number; made: number; done: number }>(
    `SELECT count(n.id)::integer AS queued, count(n.message_id)::integer AS made,
       count(*) FILTER (WHERE n.status = 'succeeded')::integer AS done
     FROM alarms a LEFT JOIN notifications n ON n.organization_id = a.organization_id AND n.alarm_id = a.id
     WHERE a.gadget_id = $1 GROUP BY a.id`,
    [gadget_id],
  )
  if (!row) return 'no alarm yet'
  if (row.done > 0) return 'handed over'
  if (row.made > 0) return 'message made'
  return row.queued > 0 ? 'queued' : 'alarm, nobody queued'
}

async function countPending(db: Pool): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM notifications WHERE status = 'pending'`,
  )
  return row?.count ?? -1
}

interface Told {
  readonly phase: Phase
  readonly mails: number
  readonly published: number
}

function print(told: readonly Told[]): void {
  const times = (count: number, of: readonly number[]) => of.filter(one => one === count).length
  const rows = phases.map(phase => {
    const own = told.filter(one => one.phase === phase)
    const mails = own.map(one => one.mails)
    const published = own.map(one => one.published)
    return {
      'killed when': phase,
      alarms: own.length,
      'mailed once': times(1, mails),
      'mailed twice': times(2, mails),
      'published once': times(1, published),
      'published twice': times(2, published),
    }
  })
  console.table(rows)
}
