import type { FromDevice } from '@gatehouse-access/api'
import { finish } from '@gatehouse-access/core'
import type { EdgeClock } from './clock.ts'
import { Commands } from './commands.ts'
import type { Driver } from './drivers/driver.ts'
import { findDivergence, type KnownJournal } from './journal-divergence.ts'
import { KeypadInput } from './keypad-input.ts'
import type { DoorFact } from './modes/door-memory.ts'
import type { Log, Platform } from './platform.ts'
import { SlicePolicy } from './policy/slice-policy.ts'
import { PolicyIntake } from './policy-intake.ts'
import { Recorder } from './recorder.ts'
import { type Forwarded, Station } from './station.ts'
import type { Storage, Stored } from './storage/storage.ts'
import { Uploader } from './uploader.ts'

interface EdgeDeviceParts {
  readonly hardware_id: string
  /** The secret of a device that a gateway attaches. The gateway's own secret belongs to its connection. */
  readonly secret?: string
  readonly platform: Platform
  readonly clock: EdgeClock
  readonly storage: Storage
  readonly stored: Stored
  readonly driver: Driver
  readonly log: Log
  isLocal(device_id: string): boolean
  forward(device: EdgeDevice, gadget_id: string, action_id: string): Promise<Forwarded>
  share(device: EdgeDevice, fact: DoorFact): void
  isConnected(): boolean
}

/** Everything that belongs to one device of this controller. */
export class EdgeDevice {
  readonly hardware_id: string
  readonly secret: string | undefined
  readonly recorder: Recorder
  readonly station: Station
  readonly commands: Commands
  readonly intake: PolicyIntake
  readonly uploader: Uploader
  readonly driver: Driver
  readonly #storage: Storage

  constructor(parts: EdgeDeviceParts) {
    const { platform, clock, storage, stored, driver, log } = parts
    const { notes } = stored
    this.hardware_id = parts.hardware_id
    this.secret = parts.secret
    this.driver = driver
    this.#storage = storage
    const recorder = new Recorder(storage, stored, platform, log)
    const policy = new SlicePolicy(storage, notes.policy)
    const keypad = new KeypadInput(notes.keypad_pause)
    const forward = (gadget_id: string, action_id: string) => parts.forward(this, gadget_id, action_id)
    const { isLocal, isConnected } = parts
    const share = (fact: DoorFact) => parts.share(this, fact)
    const later: Platform['later'] = (milliseconds, run) => platform.later(milliseconds, run)
    const about = { platform, clock, recorder, keypad, driver, log, isLocal, isConnected, share, later }
    this.station = new Station({ ...about, forward, answer: finish }, policy, notes)
    this.commands = new Commands({ platform, clock, recorder, station: this.station }, stored.commands)
    this.intake = new PolicyIntake(recorder, policy, notes.policy, head => this.station.adopt(head))
    this.uploader = new Uploader(storage, recorder)
    this.recorder = recorder
  }

  /** Sets the device id that the service assigned. */
  name(device_id: string): void {
    if (this.station.device_id === device_id) return
    this.station.name(device_id)
    void this.recorder.write({ type: 'note', notes: { device_id } })
  }

  /** Returns undefined when the journal that the service knows is a prefix of this journal. */
  findDivergence(known: KnownJournal): Promise<number | undefined> {
    return findDivergence(this.#storage, this.recorder, known)
  }

  /** Returns what the device reports about itself when it connects. */
  about(): Pick<FromDevice<'hello'>, 'policy' | 'journal'> {
    const { head } = this.intake
    const { journal_id: id, last_sequence } = this.recorder
    return {
      ...(head && { policy: { version: head.version, hash: head.hash } }),
      journal: { id, last_sequence },
    }
  }
}
