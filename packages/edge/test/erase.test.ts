import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FromService, SliceMember } from '@gatehouse-access/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, startEdge } from './edge.ts'
import { ManualPlatform } from './manual-platform.ts'
import { deviceKey, ownDevice, pinHash } from './slices.ts'

let folder: ReturnType<typeof makeFolder>
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder[Symbol.dispose]())

const name = (kind: string, index: number) => `${kind}_${String(index).padStart(20, '0')}`
const member = (index: number): SliceMember => ({
  id: name('mem', index),
  associations: [],
  credentials: [{ id: name('mp', index), kind: 'pin', hash: pinHash(String(index)) }],
})
const erased = [name('mem', 7), name('mp', 7), pinHash('7')]

/** Returns the files of the controller that contain one of the texts. */
function filesWith(...texts: readonly string[]): string[] {
  return readdirSync(folder.path).filter(file => {
    const bytes = readFileSync(join(folder.path, file))
    return texts.some(text => bytes.includes(text))
  })
}

/** A controller that holds 200 members. */
async function openEdge() {
  const edge = startEdge(new ManualPlatform(), folder.path)
  const { intake } = edge.device
  const hear = (message: FromService<'snapshot_begin' | 'snapshot_part' | 'snapshot_end' | 'delta'>) =>
    intake.receive(message, JSON.stringify(message))
  const beginSnapshot = async (version: number, members: SliceMember[]) => {
    const of = { device_id: ownDevice, version }
    const key = { key: deviceKey.toString('base64url'), key_generation: 1, pass_keys: [] }
    await hear({ type: 'snapshot_begin', ...of, ...key })
    await hear({ type: 'snapshot_part', ...of, part: 1, put: { members } })
  }
  const sendSnapshot = async (version: number, members: SliceMember[]) => {
    await beginSnapshot(version, members)
    return hear({ type: 'snapshot_end', device_id: ownDevice, version, parts: 1 })
  }
  const remove = (erase?: string[]) => {
    const { version = 0, hash = '' } = intake.head ?? {}
    const change = { put: {}, remove: { members: [name('mem', 7)] }, ...(erase && { erase }) }
    const place = { device_id: ownDevice, from: version, to: version + 1, previous_hash: hash }
    return hear({ type: 'delta', ...place, ...change })
  }
  await sendSnapshot(
    1,
    Array.from({ length: 200 }, (_, index) => member(index)),
  )
  return { ...edge, beginSnapshot, sendSnapshot, remove }
}

test('nothing of a member who was erased is on the disk when the controller confirms it', async () => {
  const edge = await openEdge()
  expect(filesWith(...erased)).not.toEqual([])
  expect(await edge.remove([name('mem', 7)])).toMatchObject({ type: 'applied', version: 2 })
  expect(filesWith(...erased)).toEqual([])
  expect(filesWith(name('mem', 8))).toEqual(['edge.sqlite'])
  expect(edge.storage.findMember(name('mem', 8))).toMatchObject({ id: name('mem', 8) })
  await edge.agent[Symbol.asyncDispose]()
})

test('events that wait are sent, and then they are gone from the disk as well', async () => {
  const edge = await openEdge()
  const { recorder } = edge.device
  const entry = { gadget_id: 'gad_a', action_id: 'open', access_method: 'pin' } as const
  const draft = { type: 'use', ...entry, member_id: name('mem', 7), credential_id: name('mp', 7) } as const
  for (let index = 0; index < 3; index++)
    await recorder.append(draft, { time: 1e15 + index, is_sure: true, doubt: 0 }).written
  await edge.remove([name('mem', 7)])
  expect((await edge.storage.readJournal(0, 10)).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  await recorder.acknowledge(2)
  expect(filesWith(name('mem', 7))).not.toEqual([])
  await recorder.acknowledge(3)
  expect(filesWith(...erased)).toEqual([])
  await edge.agent[Symbol.asyncDispose]()
})

test('a snapshot in the place of another leaves nothing of it', async () => {
  const edge = await openEdge()
  expect(await edge.sendSnapshot(2, [member(8)])).toMatchObject({ type: 'applied' })
  expect(filesWith(...erased)).toEqual([])
  await edge.agent[Symbol.asyncDispose]()
})

test('what is left of a snapshot that broke off is erased as well', async () => {
  const edge = await openEdge()
  await edge.beginSnapshot(9, [member(7)])
  await edge.device.intake.restart()
  expect(await edge.remove([name('mem', 7)])).toMatchObject({ type: 'applied', version: 2 })
  expect(filesWith(...erased)).toEqual([])
  expect(edge.storage.findMember(name('mem', 8))).toMatchObject({ id: name('mem', 8) })
  await edge.agent[Symbol.asyncDispose]()
})

test('what a controller of an older version has freed is overwritten, too', async () => {
  const first = await openEdge()
  await first.agent[Symbol.asyncDispose]()
  const old = new DatabaseSync(join(folder.path, 'edge.sqlite'))
  old.exec(`PRAGMA user_version = 0; PRAGMA secure_delete = OFF;
    DELETE FROM members WHERE id = '${name('mem', 7)}'; DELETE FROM credentials WHERE member_id = '${name('mem', 7)}'`)
  old.close()
  expect(filesWith(...erased)).not.toEqual([])
  const edge = startEdge(new ManualPlatform(), folder.path)
  const { version = 0, hash: previous_hash = '' } = edge.device.intake.head ?? {}
  const change = { put: {}, remove: {}, erase: [name('mem', 7)] }
  const delta = {
    type: 'delta',
    device_id: ownDevice,
    from: version,
    to: 2,
    previous_hash,
    ...change,
  } as const
  const frame = JSON.stringify(delta)
  expect(await edge.device.intake.receive(delta, frame)).toEqual({
    type: 'applied',
    version: 2,
    hash: createHash('sha256').update(frame).digest('hex'),
  })
  expect(filesWith(...erased)).toEqual([])
  await edge.agent[Symbol.asyncDispose]()
})

test('whoever has the file open keeps nobody waiting, and it is erased later', async () => {
  const edge = await openEdge()
  const reader = new DatabaseSync(join(folder.path, 'edge.sqlite'), { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM members').get()
  expect(await edge.remove([name('mem', 7)])).toMatchObject({ type: 'applied' })
  expect(filesWith(...erased)).not.toEqual([])
  reader.close()
  const { recorder } = edge.device
  const draft = { type: 'signal', gadget_id: 'gad_a', signal_id: 'bell' } as const
  await recorder.append(draft, { time: 1e15, is_sure: true, doubt: 0 }).written
  await recorder.acknowledge(1)
  expect(filesWith(...erased)).toEqual([])
  await edge.agent[Symbol.asyncDispose]()
})
