/** What a door monitor raises. Controllers record them also without a network. */
export const doorAlarmTypes = ['door_forced', 'door_held', 'door_not_opened', 'door_tampered'] as const
export type DoorAlarmType = (typeof doorAlarmTypes)[number]

export interface DoorMonitorOptions {
  readonly release_seconds: number
  /** Null: it may stand open for any time. */
  readonly held_open_seconds: number | null
  /** Whether a release that nobody used is told. It often is a test of a badge, so it is off unless asked for. */
  readonly tells_not_opened?: boolean
}

/** An opening that nothing has explained yet. */
export interface Opening {
  readonly at: number
  readonly closed_at: number | null
}

/**
 * What is known of one door with a contact. Plain data, so that it can be kept. All times are microseconds of a
 * monotonic clock.
 */
export interface DoorWatch {
  /** The level of the contact, once it has held for 300 ms, and since when. */
  readonly is_open: boolean
  readonly since: number
  /** When the contact changed to the other level, which has not held for 300 ms yet. */
  readonly changed_at: number | null
  /** Since when anybody may open it; null while a release is needed. */
  readonly unlocked_since: number | null
  readonly guarded_since: number
  /** Stretches of time within which an opening is expected, in order and apart. */
  readonly expected: readonly Stretch[]
  /** Openings of the last two seconds that are outside of them. */
  readonly unexplained: readonly Opening[]
  /** When somebody last tampered with it. */
  readonly tampered_at: number | null
  /** Until when the member opens it for whom it was released. */
  readonly awaited_until: number | null
  /** The alarms that are on. */
  readonly alarms: readonly DoorAlarmType[]
}

/** From and until, inclusive. */
export type Stretch = readonly [number, number]

/** `at`: when the alarm began or ended, which may lie a little in the past. */
export interface AlarmChange {
  readonly type: DoorAlarmType
  readonly event: 'begin' | 'end'
  readonly at: number
}

/** Something that happens at a door. `mode`: whether it is open to anybody. */
export type DoorInput = { readonly at: number } & (
  | {
      readonly type: 'contact'
      readonly is_open: boolean
      /** The level was read, as after a start. Nobody knows when and why it changed. */
      readonly is_reading?: boolean
    }
  | { readonly type: 'exit' | 'tamper' | 'tick' }
  /** `since`: when it was ordered, if the hardware took its time. */
  | { readonly type: 'release'; readonly since?: number; readonly is_for_member?: boolean }
  | { readonly type: 'mode'; readonly is_unlocked: boolean }
)

/** A door of which nothing is known but its contact and the alarms that are on. */
export function startWatch(at: number, is_open: boolean, alarms: readonly DoorAlarmType[] = []): DoorWatch {
  return {
    is_open,
    since: at,
    changed_at: null,
    unlocked_since: null,
    guarded_since: at,
    expected: [],
    unexplained: [],
    tampered_at: alarms.includes('door_tampered') ? at : null,
    awaited_until: null,
    alarms,
  }
}
