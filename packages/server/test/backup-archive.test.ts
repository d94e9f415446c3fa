import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chance, manyOr, seed } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Entry, readEntries, writeEntries } from '../src/backup/archive/entries.ts'
import { openArchive } from '../src/backup/archive/read-archive.ts'
import { makeRecoveryKey, parseRecoveryKey, publicHalf } from '../src/backup/archive/recovery-key.ts'
import type { Keys } from '../src/backup/archive/wrapped-keys.ts'
import { writeArchive } from '../src/backup/archive/write-archive.ts'
import { writeDurably } from '../src/backup/folder/durable-file.ts'

const chance = new Chance(seed)
const recovery = makeRecoveryKey()
const service_key = randomBytes(32)
const readers = { recovery_key: recovery.public_key, service_key }
const keys: Keys = { service_keys: [service_key] }
/** Three frames of what cannot be compressed, and a name that must not be found. */
const content = Buffer.concat([Buffer.from('Ada Lovelace, PIN 271828'), randomBytes(2.5 * 1024 * 1024)])
let folder: string
let path: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  path = join(folder, 'one.archive')
  await writeDurably(path, sink =>
    writeArchive(sink, { name: 'one.archive', readers }, writeEntries(entries())),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function* entries(): AsyncGenerator<Entry> {
  yield { path: 'empty', is_folder: true }
  yield { path: 'file', content: chunksOf(content) }
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}

async function readFileOf(from: string, by: Keys): Promise<Buffer> {
  await using archive = await openArchive(from, by, 'one.archive')
  const parts: Uint8Array[] = []
  for await (const entry of readEntries(archive.read()))
    for await (const chunk of entry.content ?? []) parts.push(chunk)
  return Buffer.concat(parts)
}

describe('the recovery key', () => {
  test('is 13 groups of four characters, and is read however it is typed', () => {
    expect(recovery.text).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){12}[0-9A-HJKMNP-TV-Z]{4}$/)
    const typed = ` ${recovery.text.toLowerCase().replaceAll('-', '  ').replaceAll('0', 'o').replaceAll('1', 'l')}\n`
    expect(publicHalf(parseRecoveryKey(typed))).toEqual(recovery.public_key)
  })

  test('with one wrong character is refused', () => {
    for (const at of [0, 21, recovery.text.length - 1]) {
      const other = recovery.text[at] === '7' ? '8' : '7'
      const typed = recovery.text.slice(0, at) + other + recovery.text.slice(at + 1)
      expect(() => parseRecoveryKey(typed)).toThrow('The recovery key is mistyped')
    }
    expect(() => parseRecoveryKey(recovery.text.slice(5))).toThrow('has 48 characters: it must have 52')
    expect(() => parseRecoveryKey(recovery.text.replace(/^./, 'U'))).toThrow('has the character "U"')
  })
})

describe('an archive', () => {
  test('is opened by the recovery key and by the service key, and by no other', async () => {
    expect((await readFileOf(path, keys)).equals(content)).toBe(true)
    expect((await readFileOf(path, { recovery_key: parseRecoveryKey(recovery.text) })).equals(content)).toBe(
      true,
    )
    await expect(readFileOf(path, { service_keys: [randomBytes(32)] })).rejects.toThrow(
      'The service key does not open',
    )
    const other = parseRecoveryKey(makeRecoveryKey().text)
    await expect(readFileOf(path, { recovery_key: other })).rejects.toThrow('The recovery key does not open')
  })

  test('shows nothing of what it holds', () => {
    const bytes = readFileSync(path)
    for (let at = 0; at + 8 <= 24; at++) expect(bytes.includes(content.subarray(at, at + 8))).toBe(false)
    expect(bytes.includes(content.subarray(1_000_000, 1_000_016))).toBe(false)
  })

  test('with any bit flipped, cut off or moved is found damaged, by its name', async () => {
    const bytes = readFileSync(path)
    const header = 23 + bytes.readUInt32BE(19)
    const places = [
      0,
      18,
      20,
      ...Array.from({ length: 20 }, (_, index) => 23 + index * 30),
      header,
      header + 4,
      bytes.length - 1,
    ]
    for (const at of [
      ...places,
      ...Array.from({ length: manyOr(10) }, () => chance.whole(0, bytes.length - 1)),
    ]) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << chance.whole(0, 7))
      await expectDamaged(flipped)
    }
    const frame = 4 + 1024 * 1024 + 16
    const [first, second] = [
      bytes.subarray(header, header + frame),
      bytes.subarray(header + frame, header + 2 * frame),
    ]
    await expectDamaged(bytes.subarray(0, header + frame))
    await expectDamaged(bytes.subarray(0, -1))
    await expectDamaged(Buffer.concat([bytes, Buffer.from([0])]))
    await expectDamaged(
      Buffer.concat([bytes.subarray(0, header), second, first, bytes.subarray(header + 2 * frame)]),
    )
  })

  async function expectDamaged(bytes: Buffer): Promise<void> {
    const damaged = join(folder, 'damaged')
    writeFileSync(damaged, bytes)
    await expect(readFileOf(damaged, keys)).rejects.toThrow(damaged)
  }

  test('that is not finished leaves nothing', async () => {
    const broken = (async function* () {
      yield Buffer.from('half')
      throw new Error('the disk is gone')
    })()
    const half = join(folder, 'half.archive')
    const written = writeDurably(half, sink => writeArchive(sink, { name: 'half.archive', readers }, broken))
    await expect(written).rejects.toThrow('the disk is gone')
    expect(() => readFileSync(half)).toThrow('ENOENT')
  })
})
