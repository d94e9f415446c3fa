import type { EdgePolicy } from '../policy/slice-policy.ts'
import type { Recorder } from '../recorder.ts'
import type { Change } from '../storage/storage.ts'
import { type DoorMemory, emptyMemory } from './door-memory.ts'

/** Keeps the memory of the doors of a device: in force at once, and on the disk. */
export class DoorStore {
  readonly #policy: EdgePolicy
  readonly #recorder: Recorder
  #memory: DoorMemory

  constructor(policy: EdgePolicy, recorder: Recorder, stored: DoorMemory | undefined) {
    this.#policy = policy
    this.#recorder = recorder
    this.#memory = { ...emptyMemory, ...stored }
    policy.amend(this.#memory)
  }

  get memory(): DoorMemory {
    return this.#memory
  }

  /** Decisions follow it from now on. Resolves when it is on the disk. */
  put(memory: DoorMemory): Promise<void> {
    return memory === this.#memory ? Promise.resolve() : this.#recorder.write(this.take(memory))
  }

  /** Like `put`, for a caller that writes it together with something else. */
  take(memory: DoorMemory): Change {
    this.#memory = memory
    this.#policy.amend(memory)
    return { type: 'note', notes: { doors: memory } }
  }
}
