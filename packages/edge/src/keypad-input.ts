import {
  countWrongEntry,
  idleKeypad,
  isKeypadPaused,
  type KeypadOutcome,
  type KeypadPause,
  type KeypadSetup,
  type KeypadState,
  noKeypadPause,
  pressKey,
  tapCard,
} from '@gatehouse-access/core'

/** The keypad and reader of one device: the current entry, and the pause after wrong PINs. */
export class KeypadInput {
  #state: KeypadState
  #pause: KeypadPause
  /** The count of unknown cards. Not persisted, because it locks nobody out. */
  #reader = noKeypadPause

  constructor(pause: KeypadPause | undefined, state: KeypadState = idleKeypad) {
    this.#pause = pause ?? noKeypadPause
    this.#state = state
  }

  get pause(): KeypadPause {
    return this.#pause
  }

  get state(): KeypadState {
    return this.#state
  }

  press(setup: KeypadSetup, key: string, at: number): KeypadOutcome | null {
    const { state, outcome } = pressKey(setup, this.#state, key, at)
    this.#state = state
    return outcome
  }

  tap(setup: KeypadSetup, at: number): KeypadOutcome | null {
    const { state, outcome } = tapCard(setup, this.#state, at)
    this.#state = state
    return outcome
  }

  isPaused(at: number): boolean {
    return isKeypadPaused(this.#pause, at)
  }

  countWrong(at: number, isSiteAlarmed: boolean): KeypadPause {
    this.#pause = countWrongEntry(this.#pause, at, isSiteAlarmed)
    return this.#pause
  }

  /** Returns whether to report an unknown card: false after too many. Never called for known cards. */
  countUnknownCard(at: number): boolean {
    if (isKeypadPaused(this.#reader, at)) return false
    this.#reader = countWrongEntry(this.#reader, at)
    return true
  }
}
