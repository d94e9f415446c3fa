import { readdirSync, readFileSync } from 'node:fs'
import {
  type Explanation,
  finish,
  isHeldOpen,
  type PolicyRows,
  type Question,
  setZoneTable,
  toMicroseconds,
  type ZoneTable,
} from '@gatehouse-access/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFolder, startEdge } from './edge.ts'
import { ManualPlatform } from './manual-platform.ts'
import { Feeder, keypad, makePass, sliceOf } from './slices.ts'

type AskedQuestion = Omit<Question, 'at'> & { at: string }

/**
 * The golden vectors of the engine, answered by a controller from its disk: PINs typed, cards tapped, passes
 * presented.
 */
interface VectorFile {
  about: string
  policy: PolicyRows
  zones?: Record<string, ZoneTable>
  cases: {
    name: string
    question: AskedQuestion
    expect: Omit<Explanation, 'rules'>
  }[]
}

const vectors = new URL('../../core/vectors/', import.meta.url)
const files = readdirSync(vectors).map(
  name => JSON.parse(readFileSync(new URL(name, vectors), 'utf8')) as VectorFile,
)
const seen = { typed: 0, tapped: 0, presented: 0, asked: 0 }

describe.each(files)('$about', ({ policy, zones = {}, cases }) => {
  const folder = makeFolder()
  const edge = startEdge(new ManualPlatform(), folder.path)
  const feeder = new Feeder(edge.device)
  const secrets = new Map(policy.credentials.map(({ id }, index) => [id, String(100_000 + index)]))
  const secretOf = (id = '') => secrets.get(id) ?? '999999'

  beforeAll(async () => {
    await feeder.snapshot(sliceOf(policy, secretOf))
    for (const [name, table] of Object.entries(zones)) setZoneTable(edge.station.policy.compiled, name, table)
  })
  afterAll(async () => {
    await edge[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  test.each(cases)('$name', async ({ question, expect: expected }) => {
    const at = toMicroseconds(question.at)
    edge.synchronize(at)
    const own = await standAt(question)
    const opened = edge.driver.done.length
    // Of a gadget elsewhere, the service runs the action.
    const isElsewhere = question.device_id !== undefined && expected.allowed
    const event = isElsewhere ? undefined : await input(question, at, own)
    if (!event) return expectAnswer(finish(edge.station.policy.explain({ ...ask(question), at })), expected)
    if (!isOpen(question, expected)) expect(edge.driver.done.length - opened).toBe(expected.allowed ? 1 : 0)
    expect(event.type).toBe(expected.allowed ? 'use' : 'denial')
    if (event.type !== 'denial') return
    expect(event.reason).toBe(expected.reason)
    expect(event.next_allowed_at ?? null).toBe(expected.next_allowed_at)
    expect(event.door).toEqual(expected.door)
  })

  /** A lock that is held open is not released, once it is. */
  function isOpen({ gadget_id, action_id }: AskedQuestion, { door }: Omit<Explanation, 'rules'>): boolean {
    const row = policy.gadgets.find(gadget => gadget.id === gadget_id)?.door
    return door !== undefined && isHeldOpen(door.mode) && row?.release_action_id === action_id
  }

  /** Makes the controller the device of the gadget or the one asked for, with a keypad for this action only. */
  async function standAt({ gadget_id, action_id, device_id }: AskedQuestion): Promise<string> {
    const own = policy.gadgets.find(gadget => gadget.id === gadget_id)?.device_id
    const id = device_id ?? own ?? 'dev_other'
    const { is_suspended, suspended_until, ...device } = policy.devices.find(row => row.id === id) ?? {
      is_deleted: device_id === undefined,
    }
    const suspension = { ...(is_suspended && { is_suspended }), ...(suspended_until && { suspended_until }) }
    const rules = [{ code: '', gadget_id, action_id }]
    await feeder.delta({ devices: [{ ...keypad(rules), ...device, ...suspension, id }] })
    edge.device.name(id)
    return id
  }

  async function input(question: AskedQuestion, at: number, device_id: string) {
    const kind = policy.credentials.find(({ id }) => id === question.credential_id)?.kind
    const method = question.access_method ?? (kind === 'pin' || kind === 'card' ? kind : 'online')
    if (kind === 'pin' && method === 'pin') {
      seen.typed++
      return (await edge.type(`${secretOf(question.credential_id)}#`))[0]
    }
    if (kind === 'card' && method === 'card') {
      seen.tapped++
      return (await edge.station.tap(secretOf(question.credential_id)))[0]
    }
    if ((method === 'bluetooth' || method === 'mobile_nfc') && question.member_id) {
      seen.presented++
      return (
        await edge.station.present(method, makePass({ member_id: question.member_id, device_id, issued: at }))
      )[0]
    }
    seen.asked++
    return undefined
  }

  /** For questions that no input at a door can ask: online access, or a member without a credential. */
  function ask(question: AskedQuestion): Omit<Question, 'at'> {
    const { at: _, ...asked } = question
    const credential = policy.credentials.find(({ id }) => id === question.credential_id)
    const holder = credential?.member_id
    const { credential_id, ...bare } = asked
    return {
      ...bare,
      // Of links, emails and tokens, a controller knows the suspended ones.
      ...(credential_id && credential?.is_suspended && !credential.is_deleted && { credential_id }),
      access_method: question.access_method ?? 'online',
      member_id: question.member_id ?? holder ?? '',
    }
  }

  function expectAnswer({ rules: _, ...explained }: Explanation, expected: Omit<Explanation, 'rules'>): void {
    if (expected.reason !== 'credential_deleted') expect(explained).toEqual(expected)
  }
})

test('every way of asking was used', () => {
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
})
