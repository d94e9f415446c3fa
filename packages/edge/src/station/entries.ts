import type { JournalEvent, PassKey } from '@gatehouse-access/api'
import type { DenialReason, KeypadOutcome, KeypadPause, KeypadTarget, Steps } from '@gatehouse-access/core'
import type { Moment } from '../clock.ts'
import type { Driven } from '../drivers/driver.ts'
import type { KeypadInput } from '../keypad-input.ts'
import type { Doors } from '../modes/doors.ts'
import { readPass } from '../policy/passes.ts'
import type { EdgePolicy } from '../policy/slice-policy.ts'
import type { EventDraft, Recorder } from '../recorder.ts'
import { type Explained, explain, judge, type Person, questionOf } from './decisions.ts'

interface Needs {
  readonly keypad: KeypadInput
  readonly recorder: Recorder
  readonly policy: EdgePolicy
  readonly doors: Doors
  answer<Result>(steps: Steps<Result>): Result | Promise<Result>
  device_id(): string | undefined
  pass_keys(): readonly PassKey[]
  now(): Moment
  drive(gadget_id: string, action_id: string, by: Person): Promise<Driven>
  append(draft: EventDraft): JournalEvent
}

/**
 * What people present at a device: keys, cards and phones. Between a key and the driver it awaits nothing; the
 * journal is written afterwards.
 */
export class Entries {
  readonly #needs: Needs
  /** Pending while the last wrong PIN is being written to disk. */
  #wrongPin: Promise<void> | null = null

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async press(key: string): Promise<JournalEvent[]> {
    const outcome = this.#needs.keypad.press(this.#setup(), key, this.#needs.now().time)
    return outcome ? this.#enter(outcome) : []
  }

  /** A known card is always checked. Many unknown cards in a short time are ignored. */
  async tap(uid: string): Promise<JournalEvent[]> {
    const outcome = this.#needs.keypad.tap(this.#setup(), this.#needs.now().time)
    const found = this.#needs.policy.identify('card', uid)
    const stranger: Person = { access_method: 'card', ...(!found && isUid.test(uid) && { card_uid: uid }) }
    if (outcome?.type !== 'card') return [await this.#deny(stranger, null, 'unknown_credential')]
    if (!found && !this.#needs.keypad.countUnknownCard(this.#needs.now().time)) return []
    return [await this.#attempt(found ? { access_method: 'card', ...found } : stranger, outcome.target)]
  }

  /** A phone is treated like a card: it applies to the rule whose code was typed, or to the default rule. */
  async present(access_method: 'bluetooth' | 'mobile_nfc', pass: string): Promise<JournalEvent[]> {
    const now = this.#needs.now()
    const outcome = this.#needs.keypad.tap(this.#setup(), now.time)
    const target = outcome?.type === 'card' ? outcome.target : null
    const read = readPass(pass, this.#needs.pass_keys(), this.#needs.device_id(), now)
    if (typeof read === 'string') return [await this.#deny({ access_method }, target, read)]
    const { member_id, credential_id } = read
    const person = { access_method, member_id }
    if (credential_id !== undefined && this.#needs.policy.isRevoked(member_id, credential_id))
      return [await this.#deny(person, target, 'credential_deleted')]
    if (!target) return [await this.#deny(person, null, 'unknown_credential')]
    const isSuspended =
      credential_id !== undefined && this.#needs.policy.isSuspended(member_id, credential_id)
    return [await this.#attempt(person, target, isSuspended ? { ...person, credential_id } : person)]
  }

  async #enter(outcome: KeypadOutcome): Promise<JournalEvent[]> {
    if (outcome.type !== 'pin')
      return [await this.#deny({ access_method: 'pin' }, null, 'unknown_credential')]
    return [await this.#enterPin(outcome.pin, outcome.target)]
  }

  /**
   * The next PIN waits until the last wrong PIN is on disk. Otherwise, cutting the power after each attempt
   * would keep the count at zero. A correct PIN or a card triggers no such wait.
   */
  async #enterPin(pin: string, target: KeypadTarget): Promise<JournalEvent> {
    if (this.#wrongPin) await this.#wrongPin
    const { keypad } = this.#needs
    const { time } = this.#needs.now()
    if (keypad.isPaused(time)) return this.#deny({ access_method: 'pin' }, target, 'keypad_paused')
    const found = this.#needs.policy.identify('pin', pin)
    if (found) return this.#attempt({ access_method: 'pin', ...found }, target)
    const alarmedUntil = this.#needs.policy.pinsAlarmedUntil(this.#needs.device_id() ?? '')
    this.#noteWrong(keypad.countWrong(time, time < alarmedUntil))
    return this.#deny({ access_method: 'pin' }, target, 'unknown_credential')
  }

  #noteWrong(keypad_pause: KeypadPause): void {
    const written = this.#needs.recorder.write({ type: 'note', notes: { keypad_pause } }).then(() => {
      if (this.#wrongPin === written) this.#wrongPin = null
    })
    this.#wrongPin = written
  }

  /** `asked`: whom the decision is about. Events name no link, email or token that a pass was fetched with. */
  async #attempt(person: Person, target: KeypadTarget, asked = person): Promise<JournalEvent> {
    const now = this.#needs.now()
    const judged = this.#judge(asked, target, now)
    const reason = judged instanceof Promise ? await judged : judged
    if (reason !== null) return this.#deny(person, target, reason, asked)
    const { gadget_id, action_id } = target
    const isOpen = this.#needs.doors.isHeld(gadget_id, action_id)
    const driven = isOpen ? done : await this.#needs.drive(gadget_id, action_id, person)
    if (driven.outcome === 'done') return await this.#noteUse(person, target, now)
    return this.#deny(person, target, driven.reason === 'unreachable' ? 'unreachable' : 'hardware_failed')
  }

  /** Explained as of the decision: until the door had opened, a schedule may have ended. */
  async #noteUse(person: Person, target: KeypadTarget, decided: Moment): Promise<JournalEvent> {
    const explaining = this.#explain(person, target, decided)
    const { decided_by } = explaining instanceof Promise ? await explaining : explaining
    const { gadget_id, action_id } = target
    const event = this.#needs.append({
      type: 'use',
      gadget_id,
      action_id,
      ...person,
      ...(decided_by && { decided_by }),
    })
    this.#needs.doors.used({ gadget_id, action_id, ...person })
    return event
  }

  #judge(
    person: Person,
    target: KeypadTarget,
    now: Moment,
  ): DenialReason | null | Promise<DenialReason | null> {
    if (person.member_id === undefined) return 'unknown_credential'
    return this.#needs.answer(judge(this.#needs.policy, this.#question(person, target, now), now.is_sure))
  }

  /** Recorded before anything else happens, unless the policy query needs several steps. */
  async #deny(
    person: Person,
    target: KeypadTarget | null,
    reason: DenialReason,
    asked = person,
  ): Promise<JournalEvent> {
    const explaining = this.#explain(asked, target)
    const explained = explaining instanceof Promise ? await explaining : explaining
    return this.#needs.append({ type: 'denial', ...person, ...target, reason, ...explained })
  }

  #explain(
    person: Person,
    target: KeypadTarget | null,
    now = this.#needs.now(),
  ): Explained | Promise<Explained> {
    if (person.member_id === undefined || target === null) return {}
    return this.#needs.answer(explain(this.#needs.policy, this.#question(person, target, now)))
  }

  #question(person: Person, target: KeypadTarget, now: Moment) {
    return questionOf(person, target, now, this.#needs.device_id())
  }

  #setup() {
    return this.#needs.policy.setup(this.#needs.device_id() ?? '')
  }
}

/** Of 4, 7 or 10 bytes. A reader may have others, which no card of an organization has. */
const isUid = /^(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})$/i

const done: Driven = { outcome: 'done' }
