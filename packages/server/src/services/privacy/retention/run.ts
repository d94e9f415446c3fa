import type { Periods } from '@gatehouse-access/api'
import { resources } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { type AuditKey, deriveAuditKey } from '../../../audit/keys.ts'
import { BatchSize } from '../../../flow/batch-size.ts'
import { eachApart } from '../../../flow/each-apart.ts'
import { pause } from '../../../flow/timers.ts'
import { serviceCaller } from '../../../store/caller.ts'
import { findObject } from '../../../store/find.ts'
import { updateObject } from '../../../store/write.ts'
import type { Context } from '../../objects/context.ts'
import { type Expiry, expiries } from '../event-classes.ts'
import { type PrivacyState, periodsInForce } from '../periods.ts'
import { writeReceipts } from './days.ts'
import { eraseMembers } from './erase-members.ts'
import { type Batch, expireBatch } from './expire-batch.ts'
import { dropEmptyMonths } from './partitions.ts'
import { deleteStretch } from './stretch.ts'

const day = 24 * 3600
/** Seconds for which a transaction that records events may go on. Later ones are looked at in the next run. */
const settling = 120
/** Events of one transaction, and the milliseconds that it should take: while it goes on, the feed waits. */
const eventsAtOnce = { least: 50, first: 100, most: 400, aim: 55 }
/** Batches of one organization before the next one has its turn. */
const turn = 20

/** Lets expire what is over, in all organizations, in small transactions. Ends early when the signal aborts. */
export async function runRetention(context: Context, signal?: AbortSignal): Promise<number> {
  await beginPending(context)
  await writeReceipts(context)
  const key = deriveAuditKey(context.config.secret_keys[0])
  const organizations = await listOrganizations(context)
  let waiting = organizations.map(organization => new Run(context, key, organization))
  let total = 0
  while (waiting.length > 0 && !signal?.aborted) {
    const unfinished: Run[] = []
    await eachApart(waiting, async run => {
      if (signal?.aborted) return
      total += await run.takeTurn()
      if (!run.is_done) unfinished.push(run)
    })
    waiting = unfinished
  }
  context.metrics.count('gatehouse_events_expired_total', {}, total)
  await eachApart(organizations, organization => eraseDue(context, organization))
  await dropEmptyMonths(context.db, context.clock.now())
  return total
}

interface Organization extends PrivacyState {
  readonly id: string
}

function listOrganizations({ db }: Context): Promise<Organization[]> {
  return db.query<Organization>(
    `SELECT id, privacy, privacy_pending FROM organizations
     WHERE NOT is_deleted AND jsonb_path_exists(privacy, '$.* ? (@.type() == "number")') ORDER BY id`,
  )
}

async function eraseDue(context: Context, organization: Organization): Promise<void> {
  const now = context.clock.now()
  const { member_days } = periodsInForce(organization, now)
  if (member_days != null)
    await eraseMembers(context, organization.id, addSeconds(now, -member_days * day), now)
}

/** Says in an event that a shortening has taken effect. */
async function beginPending({ db, clock }: Context): Promise<void> {
  const now = clock.now()
  const due = await db.query<{ id: string }>(
    `SELECT id FROM organizations WHERE privacy_pending IS NOT NULL AND privacy_pending->>'takes_effect_at' <= $1`,
    [now],
  )
  await eachApart(due, ({ id }) =>
    db.transaction(async inner => {
      const resource = resources.organization
      const before = await findObject(inner, resource, { organization_id: id }, id, { lock: true })
      if (!before?.privacy_pending || before.privacy_pending.takes_effect_at > now) return
      await updateObject({ db: inner, caller: serviceCaller(id), now }, resource, before, {
        privacy_pending: null,
      })
    }),
  )
}

/** What deletes comes first: nothing is emptied that is deleted anyway. */
const order = Object.keys(expiries) as Expiry[]

/** The run of one organization. */
class Run {
  readonly #context: Context
  readonly #key: AuditKey
  readonly #id: string
  readonly #periods: Periods
  readonly #now: string
  readonly #left: Expiry[]
  readonly #size: BatchSize
  #isStretchDone: boolean

  constructor(context: Context, key: AuditKey, organization: Organization) {
    this.#context = context
    this.#key = key
    this.#id = organization.id
    this.#now = context.clock.now()
    this.#size = new BatchSize(context.timers, eventsAtOnce)
    this.#periods = periodsInForce(organization, this.#now)
    this.#left = order.filter(expiry => this.#before(expiry) !== undefined)
    this.#isStretchDone = !this.#left.some(expiry => expiry === 'access_deleted' || expiry === 'device')
  }

  get is_done(): boolean {
    return this.#left.length === 0
  }

  async takeTurn(): Promise<number> {
    let total = 0
    for (let batches = 0; batches < turn && !this.is_done; batches++) {
      total += await this.#size.measure(size =>
        this.#isStretchDone ? this.#expireNext(size) : this.#shorten(size),
      )
      await this.#giveWay()
    }
    return total
  }

  async #shorten(size: number): Promise<number> {
    const count = await this.#context.db.transaction(db =>
      deleteStretch(
        db,
        this.#key,
        {
          organization_id: this.#id,
          access_before: this.#before('access_deleted'),
          device_before: this.#before('device'),
          now: this.#now,
        },
        size,
      ),
    )
    this.#isStretchDone = count === 0
    return count
  }

  async #expireNext(size: number): Promise<number> {
    const [expiry] = this.#left
    const before = expiry && this.#before(expiry)
    if (!before) return 0
    const expiring = { organization_id: this.#id, expiry, before, now: this.#now }
    const until = addSeconds(this.#now, -settling)
    const batch: Batch = await this.#context.db.transaction(db =>
      expireBatch(db, this.#key, expiring, { from: until, until }, size),
    )
    if (batch.is_done) this.#left.shift()
    return batch.amended
  }

  #before(expiry: Expiry): string | undefined {
    const days = this.#periods[expiries[expiry]]
    return days == null ? undefined : addSeconds(this.#now, -days * day)
  }

  /** While requests arrive, they have the database half of the time. */
  async #giveWay(): Promise<void> {
    const { timers, traffic } = this.#context
    if (traffic.isBusy()) await pause(timers, eventsAtOnce.aim)
  }
}
