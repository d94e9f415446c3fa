import type { DeviceCapability, FromDevice, JournalEvent, JournalEventType } from '@gatehouse-access/api'
import { deviceLimits } from '@gatehouse-access/api/device-protocol/limits'
import type { Recorder } from './recorder.ts'
import type { Storage } from './storage/storage.ts'

type Send = (message: Omit<FromDevice<'events'>, 'device_id'>) => void

/** Bytes of events per message, with room for the envelope. */
const batchBytes = deviceLimits.message_bytes - 1024

/** Events that only a newer service understands. */
const newer: { readonly [Type in JournalEventType]?: DeviceCapability } = {
  exit: 'doors',
  mode: 'door_modes',
  emergency: 'door_modes',
  fire: 'door_modes',
  alarm: 'door_monitor',
}

/**
 * Uploads the journal of one device, one batch at a time. Only events on disk are uploaded, and they are
 * deleted only once the service has acknowledged them. A batch without a response is sent again on the next
 * connection. An event that the service would not understand waits, with all after it, for one that does.
 */
export class Uploader {
  readonly #storage: Storage
  readonly #recorder: Recorder
  #send: Send | undefined
  #accepted: readonly string[] = []
  #acknowledged = 0
  /** The last sequence of the batch in flight; 0 when there is none. */
  #sent = 0
  #isReading = false

  constructor(storage: Storage, recorder: Recorder) {
    this.#storage = storage
    this.#recorder = recorder
    recorder.onEvents = () => void this.#next()
  }

  /** Starts after the events that the service already has. */
  start(acknowledged: number, send: Send, accepted: readonly string[] = []): void {
    this.#send = send
    this.#accepted = accepted
    this.#sent = 0
    this.#acknowledged = acknowledged
    if (acknowledged > 0) void this.#recorder.acknowledge(acknowledged)
    void this.#next()
  }

  stop(): void {
    this.#send = undefined
  }

  acknowledge(journalId: string, sequence: number): void {
    if (journalId !== this.#recorder.journal_id || sequence <= this.#acknowledged) return
    this.#acknowledged = sequence
    void this.#recorder.acknowledge(sequence)
    if (sequence >= this.#sent) this.#sent = 0
    void this.#next()
  }

  async #next(): Promise<void> {
    if (this.#isReading || !this.#send || this.#sent > 0) return
    if (this.#recorder.last_sequence <= this.#acknowledged) return
    this.#isReading = true
    const send = this.#send
    const events = await this.#storage.readJournal(this.#acknowledged, deviceLimits.events)
    this.#isReading = false
    if (this.#send !== send) return void this.#next()
    const stored = events.filter(({ sequence }) => sequence <= this.#recorder.last_sequence)
    const batch = withinBytes(this.#understood(stored))
    const last = batch.at(-1)
    if (!last) return
    this.#sent = last.sequence
    send({ type: 'events', journal_id: this.#recorder.journal_id, events: batch })
  }

  #understood(events: readonly JournalEvent[]): readonly JournalEvent[] {
    const end = events.findIndex(({ type }) => {
      const capability = newer[type]
      return capability !== undefined && !this.#accepted.includes(capability)
    })
    const known = end < 0 ? events : events.slice(0, end)
    const told = this.#accepted.includes('door_modes') ? known : known.map(withoutDoor)
    const decided = this.#accepted.includes('decided_by') ? told : told.map(withoutTerms)
    const named = this.#accepted.includes('card_uids') ? decided : decided.map(withoutUid)
    return this.#accepted.includes('trigger_denials') ? named : named.map(asRefused)
  }
}

/** An older service refuses fields that it does not know. */
function withoutDoor(event: JournalEvent): JournalEvent {
  if (event.type !== 'denial') return event
  const { door: _, ...rest } = event
  return rest
}

function withoutUid(event: JournalEvent): JournalEvent {
  if (event.type !== 'denial') return event
  const { card_uid: _, ...rest } = event
  return rest
}

function withoutTerms(event: JournalEvent): JournalEvent {
  if (event.type !== 'denial' && event.type !== 'use') return event
  const { decided_by: _, ...rest } = event
  return rest
}

/** Without a member, an older service records a denial as refused, and the journal goes on. */
function asRefused(event: JournalEvent): JournalEvent {
  if (event.type !== 'trigger_denial') return event
  const { gadget_trigger_id: _, ...rest } = event
  return { ...rest, type: 'denial', access_method: 'online', reason: 'lockdown' }
}

function withinBytes(events: readonly JournalEvent[]): JournalEvent[] {
  let bytes = 0
  const end = events.findIndex((event, index) => {
    bytes += Buffer.byteLength(JSON.stringify(event)) + 1
    return bytes > batchBytes && index > 0
  })
  return events.slice(0, end < 0 ? events.length : end)
}
