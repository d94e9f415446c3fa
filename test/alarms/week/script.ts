import type { AlarmType } from '@gatehouse-access/core'
import { type Outage, storyOfDevices } from './device-story.ts'
import { doorCount, storyOfDoor } from './door-story.ts'
import { throwDice } from './random.ts'
import { week } from './times.ts'
import { countRaw, watch } from './watch-doors.ts'

/** Something that begins or ends, as the service hears of it. `at` and `since` in seconds. */
export interface Line {
  readonly at: number
  readonly since: number
  readonly turn: 'begin' | 'end'
  readonly type: AlarmType
  readonly of: 'door' | 'device'
  readonly number: number
}

export interface Script {
  readonly lines: readonly Line[]
  /** Messages for every beginning and end that contacts and connections show by themselves. */
  readonly raw: ReadonlyMap<AlarmType, number>
}

const seed = 20_270_503

/** Writes the week down, the same in every run. */
export function writeScript(): Script {
  const raw = new Map<AlarmType, number>()
  const add = (type: AlarmType, count: number) => raw.set(type, (raw.get(type) ?? 0) + count)
  const lines: Line[] = []
  for (let number = 0; number < doorCount; number++) {
    const inputs = storyOfDoor(number, throwDice(seed + number))
    const counted = countRaw(inputs)
    add('door_forced', counted.door_forced)
    add('door_held', counted.door_held)
    for (const { turn, type, at, known_at } of watch(inputs))
      lines.push({ at: known_at, since: at, turn, type, of: 'door', number })
  }
  for (const { device, lacks, from, until } of merge([...storyOfDevices(throwDice(seed - 1))])) {
    const common = { type: typeOf[lacks], of: 'device', number: device } as const
    lines.push({ ...common, at: from, since: from, turn: 'begin' })
    lines.push({ ...common, at: until, since: until, turn: 'end' })
    add(common.type, 2)
  }
  return { lines: lines.filter(({ at }) => at < week).toSorted((one, other) => one.at - other.at), raw }
}

const typeOf = {
  network: 'device_offline',
  mains: 'device_power_lost',
  charge: 'device_battery_low',
} as const

/** What overlaps at one device is one outage. */
function merge(outages: readonly Outage[]): Outage[] {
  const merged: Outage[] = []
  const byDevice = Map.groupBy(outages, ({ device, lacks }) => `${device} ${lacks}`)
  for (const own of byDevice.values())
    for (const outage of own.toSorted((one, other) => one.from - other.from)) {
      const last = merged.at(-1)
      const isSame =
        last?.device === outage.device && last.lacks === outage.lacks && outage.from <= last.until
      if (last && isSame) merged[merged.length - 1] = { ...last, until: Math.max(last.until, outage.until) }
      else merged.push(outage)
    }
  return merged
}
