import { describe, expect, test } from 'vitest'
import {
  effectiveMode,
  isHeldOpen,
  type LooseDoor,
  type Mode,
  modeSpanAt,
  type PrecedenceLevel,
  precedence,
  sourcesOfLooseDoor,
  toMicroseconds,
} from '../src/index.ts'

const at = toMicroseconds('2026-11-17T10:00:00.000000Z')
const always = { weekdays: Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_800 }] })) }

const plainDoor: LooseDoor = {
  gadget_id: 'gad_1',
  site_id: 'site_1',
  tag_ids: [],
  site: { timezone: 'Europe/Madrid' },
  door: { release_action_id: 'open', hold_action_id: 'hold', egress: 'electric' },
  fire: null,
  override: null,
  emergencies: [],
  rules: [],
}
const emergency = { targets: { site_ids: ['site_1'] }, started_at: '2026-11-17T09:30:00.000000Z' }
const override = {
  id: 'gad_1',
  lasts: 'until' as const,
  until: '2026-11-17T11:00:00.000000Z',
  set_at: '2026-11-17T09:45:00.000000Z',
  is_deleted: false,
}

/** What adds each level to a door. */
const additions: Record<Exclude<PrecedenceLevel, 'default'>, (door: LooseDoor) => LooseDoor> = {
  fire: door => ({ ...door, fire: { since: '2026-11-17T09:59:00.000000Z' } }),
  evacuation: door => withEmergency(door, { ...emergency, id: 'em_e', type: 'evacuation' }),
  lockdown: door =>
    withEmergency(door, { ...emergency, id: 'em_l', type: 'lockdown', exempt_member_group_ids: ['mg_x'] }),
  override: door => ({ ...door, override: { ...override, mode: 'controlled' } }),
  unlock_rule: door => ({
    ...door,
    rules: [
      {
        id: 'ur_1',
        gadget_ids: ['gad_1'],
        schedule_id: 'sch_1',
        schedule: always,
        is_enabled: true,
        is_deleted: false,
      },
    ],
  }),
}

type Added = keyof typeof additions
const levels = Object.keys(additions) as Added[]

function withEmergency(door: LooseDoor, row: LooseDoor['emergencies'] extends Iterable<infer R> ? R : never) {
  return { ...door, emergencies: [...door.emergencies, row] }
}

const combinations = Array.from({ length: 2 ** levels.length }, (_, bits) =>
  levels.filter((_, place) => (bits >> place) % 2 === 1),
)

const idsOf: Partial<Record<PrecedenceLevel, string[]>> = { evacuation: ['em_e'], lockdown: ['em_l'] }

/** The first mode of a level is what these additions ask for, but the override asks for the second. */
function expectedMode(level: (typeof precedence)[number]): Mode {
  return level.level === 'override' ? 'controlled' : level.modes[0]
}

test.each(combinations.map(added => [added.join(', ') || 'nothing', added] as const))(
  'with %s, the first in the table decides',
  (_, added) => {
    const sources = sourcesOfLooseDoor(added.reduce((door, level) => additions[level](door), plainDoor))
    const winner = precedence.find(({ level }) => level === 'default' || added.includes(level))
    const mode = effectiveMode(sources, at)
    expect(winner && [expectedMode(winner), winner.source]).toEqual([mode.effective, mode.source])
    expect(mode.emergency_ids).toEqual(idsOf[winner?.level ?? 'default'] ?? [])
    expect(mode.unlock_rule_id).toBe(winner?.level === 'unlock_rule' ? 'ur_1' : null)
    const { needs } = modeSpanAt(sources, at)
    expect(needs).toEqual(
      mode.effective === 'lockdown' ? [{ reason: 'lockdown', groups: new Set(['mg_x']) }] : [],
    )
    if (isHeldOpen(mode.effective)) expect(needs).toEqual([])
  },
)

describe('the fire input', () => {
  const fire = (door: LooseDoor['door'], release_gadget_ids: string[]) =>
    effectiveMode(
      sourcesOfLooseDoor({
        ...additions.lockdown(plainDoor),
        door,
        fire: { since: '2026-11-17T09:59:00.000000Z', release_gadget_ids },
      }),
      at,
    ).effective
  const mechanical = { ...plainDoor.door, egress: 'mechanical' as const }

  test('does not open a street door to an attacker', () => {
    expect(fire(mechanical, ['gad_2'])).toBe('lockdown')
    expect(fire(mechanical, ['gad_1'])).toBe('evacuation')
    expect(fire(plainDoor.door, [])).toBe('evacuation')
  })
})

describe('a door that cannot be held open', () => {
  const fixed = { ...plainDoor, door: { release_action_id: 'open' } }
  const modeOf = (door: LooseDoor) => effectiveMode(sourcesOfLooseDoor(door), at).effective

  test('is never unlocked, and is let alone by a lockdown that would hold it open', () => {
    expect(modeOf(additions.unlock_rule(fixed))).toBe('controlled')
    expect(modeOf({ ...fixed, override: { ...override, mode: 'unlocked' } })).toBe('controlled')
    const lockout = {
      ...emergency,
      id: 'em_l',
      type: 'lockdown' as const,
      unlocked_gadget_ids: ['gad_1'],
    }
    expect(modeOf(withEmergency(fixed, lockout))).toBe('controlled')
    expect(modeOf(withEmergency(plainDoor, lockout))).toBe('unlocked')
    expect(modeOf(additions.lockdown(withEmergency(plainDoor, lockout)))).toBe('lockdown')
  })

  test('lets everybody pass in an evacuation all the same', () => {
    expect(modeOf(additions.evacuation(fixed))).toBe('evacuation')
  })
})

describe('while the clock is not sure', () => {
  const modeOf = (door: LooseDoor) => effectiveMode(sourcesOfLooseDoor(door), Number.NaN)
  const ended = { ends_at: '2026-11-17T09:31:00.000000Z', held_until: '2026-11-17T09:31:00.000000Z' }

  test('nothing opens by time', () => {
    expect(modeOf(additions.unlock_rule(plainDoor)).effective).toBe('controlled')
    expect(modeOf({ ...plainDoor, override: { ...override, mode: 'unlocked' } }).effective).toBe('controlled')
  })

  test('what needs no clock goes on', () => {
    const held = { ...override, mode: 'unlocked' as const, lasts: 'indefinitely' as const }
    expect(modeOf({ ...plainDoor, override: held }).effective).toBe('unlocked')
    expect(modeOf(additions.override(plainDoor)).source).toBe('override')
  })

  test.each(['lockdown', 'evacuation'] as const)('a dated %s goes on', type => {
    const door = withEmergency(plainDoor, { ...emergency, ...ended, id: 'em_1', type })
    expect(modeOf(door).effective).toBe(type)
    expect(effectiveMode(sourcesOfLooseDoor(door), at).effective).toBe('controlled')
  })
})

describe('an override until the next turn', () => {
  const set = (
    mode: 'unlocked' | 'controlled',
    set_at: string,
    rules = additions.unlock_rule(plainDoor).rules,
  ) =>
    effectiveMode(
      sourcesOfLooseDoor({
        ...plainDoor,
        rules,
        override: { id: 'gad_1', mode, lasts: 'until_turn', set_at, is_deleted: false },
      }),
      toMicroseconds(set_at),
    )

  test('ends when the schedule would have locked, or unlocks', () => {
    expect(set('controlled', '2026-11-17T10:00:00.000000Z').until).toBe('2026-11-17T17:00:00.000000Z')
    expect(set('unlocked', '2026-11-17T20:00:00.000000Z').until).toBe('2026-11-18T07:00:00.000000Z')
    expect(set('unlocked', '2026-11-17T17:00:00.000000Z').until).toBe('2026-11-18T07:00:00.000000Z')
  })

  test('keeps a door locked, but not open, if there is no turn any more', () => {
    expect(set('controlled', '2026-11-17T10:00:00.000000Z', [])).toMatchObject({
      source: 'override',
      until: null,
    })
    expect(set('unlocked', '2026-11-17T10:00:00.000000Z', []).source).toBe('default')
  })
})
