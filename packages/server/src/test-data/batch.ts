import { type EventObject, type EventSubject, resources } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { searchText } from '../store/search.ts'
import { insertRows } from './insert-rows.ts'
import { idAt, type Moment } from './moments.ts'
import type { Door } from './places.ts'
import { type RowOf, type Table, tables } from './tables.ts'

const day = 86_400_000
const methods = ['online', 'pin', 'card', 'bluetooth', 'mobile_nfc'] as const

/** Rows stored together: every object with its creation event. */
export class Batch {
  readonly #organization_id: string
  readonly #rows: { [T in Table]: RowOf<T>[] } = {
    members: [],
    member_emails: [],
    member_group_associations: [],
    events: [],
  }

  constructor(organization_id: string) {
    this.#organization_id = organization_id
  }

  /** Adds a member to a group. Half of the members have an end date, and half have an email. */
  addMember(number: number, moment: Moment, member_group_id: string, now: number): string {
    const name = `Load test member ${String(number).padStart(7, '0')}`
    const ends = number % 2 === 0 ? undefined : now + (30 + (number % 335)) * day
    const own = this.#own('member', moment)
    this.#rows.members.push({
      ...own,
      name,
      starts_at: ends ? moment.timestamp : null,
      ends_at: ends ? new Date(ends).toISOString() : null,
      auto_delete_at: ends ? new Date(ends + day).toISOString() : null,
      tag_ids: '{}',
      metadata: { source: 'load-test', sourceID: `L-${number}` },
      search_text: searchText(resources.member, { name }),
    })
    this.#addEvent(moment, {}, 'create', { type: 'member', member_id: own.id })
    this.#addAssociation(moment, { member_id: own.id, member_group_id })
    if (number % 4 < 2)
      this.#addEmail(moment, { member_id: own.id, email: `load-test-${number}@example.com` })
    return own.id
  }

  /** Logs a member opening a door. Without a member the service opens it, like a trigger. */
  addUse(moment: Moment, door: Door, member_id: string | undefined): void {
    const access_method = methods[Math.floor(Math.random() * methods.length)] ?? 'online'
    const subject = member_id === undefined ? {} : { member_id, access_method }
    this.#addEvent(moment, subject, 'use', { type: 'gadget_action', ...door })
  }

  async store(db: Database): Promise<void> {
    await db.transaction(async inner => {
      for (const table of Object.keys(tables) as Table[])
        if (this.#rows[table].length > 0) await insertRows(inner, table, tables[table], this.#rows[table])
    })
  }

  #addAssociation(moment: Moment, ids: { member_id: string; member_group_id: string }): void {
    const own = this.#own('member_group_association', moment)
    this.#rows.member_group_associations.push({ ...own, ...ids, metadata: {} })
    const object = { type: 'member_group_association', member_group_association_id: own.id, ...ids } as const
    this.#addEvent(moment, {}, 'create', object)
  }

  #addEmail(moment: Moment, { member_id, email }: { member_id: string; email: string }): void {
    const own = this.#own('member_email', moment)
    const search_text = searchText(resources.member_email, { email })
    this.#rows.member_emails.push({ ...own, member_id, email, email_key: email, metadata: {}, search_text })
    this.#addEvent(moment, {}, 'create', { type: 'member_email', member_email_id: own.id, member_id })
  }

  #own(kind: 'member' | 'member_email' | 'member_group_association', moment: Moment) {
    const organization_id = this.#organization_id
    return { id: idAt(kind, moment), organization_id, is_deleted: false, created_at: moment.timestamp }
  }

  /** As in the service, the id carries the millisecond of the recording. */
  #addEvent(moment: Moment, subject: EventSubject, verb: string, object: EventObject): void {
    const id = idAt('event', moment)
    const organization_id = this.#organization_id
    const times = { created_at: moment.timestamp, recorded_at: moment.timestamp, clock_adjusted: false }
    this.#rows.events.push({ id, organization_id, subject, verb, object, ...times })
  }
}
