import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemsOf } from '../src/engine/steps.ts'
import {
  effectiveMode,
  modeSpanAt,
  modeTimeline,
  nextModeChange,
  sourcesOfLooseDoor,
  toMicroseconds,
} from '../src/index.ts'
import { anyDoor, type DoorWorld } from './arbitrary-door.ts'
import { judgeMode, type OracleMode } from './oracle-modes.ts'

const numRuns = Number(process.env.GATEHOUSE_SEEDS ?? 15)
const timeout = 36_000_000

function asks({ anchor, door, times }: DoorWorld) {
  const sources = sourcesOfLooseDoor(door)
  const instants = times.map(toMicroseconds).flatMap(at => [at - 1, at])
  const judge = (at: number | null) => judgeMode(door, toMicroseconds(anchor), at)
  return { sources, instants, judge }
}

function found(sources: ReturnType<typeof sourcesOfLooseDoor>, at: number): OracleMode {
  const { needs } = modeSpanAt(sources, at)
  const mode = effectiveMode(sources, at)
  return {
    ...mode,
    since: mode.since === null ? null : toMicroseconds(mode.since),
    until: mode.until === null ? null : toMicroseconds(mode.until),
    needs: needs.map(({ reason, groups }) => ({ reason, groups: [...groups] })),
  }
}

test('engine and oracle agree on the mode of a door', { timeout }, () => {
  fc.assert(
    fc.property(anyDoor, world => {
      const { instants, judge, sources } = asks(world)
      for (const at of instants) expect([at, found(sources, at)]).toEqual([at, judge(at)])
      expect(found(sources, Number.NaN)).toEqual(judge(null))
    }),
    { numRuns },
  )
})

test('a mode is the same within its span, and may change after it', { timeout }, () => {
  fc.assert(
    fc.property(anyDoor, fc.nat(999), (world, part) => {
      const { instants, sources } = asks(world)
      for (const at of instants.slice(0, 12)) {
        const { from, until } = modeSpanAt(sources, at)
        expect(until).toBe(nextModeChange(sources, at))
        const inside = [from, until - 1, from + Math.floor(((until - from) * part) / 1000)]
        for (const other of inside.filter(Number.isFinite))
          expect([other, found(sources, other)]).toEqual([other, found(sources, at)])
      }
    }),
    { numRuns: Math.ceil(numRuns / 4) },
  )
})

test('a timeline has the mode of every instant, once', { timeout }, () => {
  fc.assert(
    fc.property(anyDoor, world => {
      const { instants, sources } = asks(world)
      const [first, last] = [Math.min(...instants), Math.max(...instants) + 1]
      const stretches = [...itemsOf(modeTimeline(sources, first, last))]
      expect(stretches[0]?.from).toBe(first)
      expect(stretches.at(-1)?.until).toBe(last)
      for (const [place, { from, mode }] of stretches.slice(1).entries()) {
        expect(stretches[place]?.until).toBe(from)
        expect(stretches[place]?.mode).not.toEqual(mode)
      }
      for (const at of instants) {
        const stretch = stretches.find(({ from, until }) => from <= at && at < until)
        expect([at, stretch?.mode]).toEqual([at, modeSpanAt(sources, at).mode])
      }
    }),
    { numRuns: Math.ceil(numRuns / 4) },
  )
})
