import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ZoneSource } from '../src/zones/course.ts'
import { openZoneFolder } from '../src/zones/folder/open-folder.ts'
import { openSourceFolder } from '../src/zones/folder/source-folder.ts'
import { runtimeSource } from '../src/zones/runtime-source.ts'

const [from, until] = [Date.UTC(2020, 0, 1) / 1000, Date.UTC(2032, 0, 1) / 1000]
const courseOf = (source: ZoneSource, name: string) => source.course(source.find(name) ?? '', from, until)

function folderOf(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'zones-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** Covers each form of a line: abbreviated words, last and nearest weekdays, all clocks, a negative saving, links. */
const lines = `# version 2026q
R EU 1996 ma - Mar lastSu 1u 1 S
R EU 1996 ma - O lastSun 1:00u 0 -
Rule US 2007 max - Mar Sun>=8 2:00 1:00 D  # in words
Rule US 2007 max - Nov Sun>=1 2:00 0 S
R Eg 2023 ma - Ap lastF 0 1 S
R Eg 2023 ma - O lastTh 24 0 -
R Ie 1996 ma - O lastSu 1u -1 -
R Ie 1996 ma - Mar lastSu 1u 0 -
R Cl 2023 ma - Ap Su>=2 3u 0 -
R Cl 2023 ma - S Su>=2 4u 1 -
R LH 2008 ma - Ap Su>=1 2 0 -
R LH 2008 ma - O Su>=1 2 0:30 -
Z Europe/Madrid 0 - WET 1940 Mar 16 23
1 EU CE%sT
Z America/New_York -5 US E%sT
Z Africa/Cairo 2 - EET 2023
2 Eg EE%sT
Z Europe/Dublin 1 Ie IST/GMT
Z Australia/Lord_Howe 10:30 LH %z
Z Asia/Tokyo 9 - JST
Z America/Whitehorse -8 US P%sT 2020 N
-7 - MST
L Europe/Madrid Spain
`

test('the source compiles to what the runtime says', () => {
  const source = openZoneFolder(folderOf({ 'tzdata.zi': lines }))
  expect(source.release).toBe('2026q')
  const names = ['Europe/Madrid', 'America/New_York', 'Europe/Dublin', 'Australia/Lord_Howe', 'Asia/Tokyo']
  for (const name of [...names, 'America/Whitehorse'])
    expect(courseOf(source, name), name).toEqual(courseOf(runtimeSource, name))
  expect(courseOf(source, 'Africa/Cairo').changes).toEqual(courseOf(runtimeSource, 'Africa/Cairo').changes)
  expect(courseOf(source, 'Spain')).toEqual(courseOf(source, 'europe/madrid'))
  expect(source.find('EUROPE/MADRID')).toBe('Europe/Madrid')
  expect(source.find('Europe/Berlin')).toBeUndefined()
})

test('source files by continent are read together, and none may be missing', () => {
  const files = Object.fromEntries(
    ['africa', 'antarctica', 'asia', 'australasia', 'etcetera', 'northamerica', 'southamerica'].map(name => [
      name,
      `Zone Etc/${name} 0 - UTC\n`,
    ]),
  )
  const whole = { ...files, europe: lines, backward: 'Link Europe/Madrid Old/Madrid\n', version: '2026r\n' }
  const source = openZoneFolder(folderOf(whole))
  expect(source.release).toBe('2026r')
  expect(courseOf(source, 'Old/Madrid')).toEqual(courseOf(runtimeSource, 'Europe/Madrid'))
  expect(() => openZoneFolder(folderOf({ ...files, version: '2026r' }))).toThrow('the file europe is missing')
})

/** Writes a compiled file whose old block is empty, with changes as [second, offset]. */
function tzif(offset: number, changes: readonly (readonly [number, number])[], rule: string): Buffer {
  const offsets = [offset, ...new Set(changes.map(([, offset]) => offset))]
  const header = (times: number, types: number) => {
    const bytes = Buffer.alloc(44)
    bytes.write('TZif2')
    for (const [index, count] of [0, 0, 0, times, types, 4].entries())
      bytes.writeUInt32BE(count, 20 + 4 * index)
    return bytes
  }
  const times = Buffer.alloc(changes.length * 9)
  for (const [index, [at, offset]] of changes.entries()) {
    times.writeBigInt64BE(BigInt(at), index * 8)
    times.writeUInt8(offsets.lastIndexOf(offset), changes.length * 8 + index)
  }
  const types = Buffer.alloc(offsets.length * 6)
  for (const [index, offset] of offsets.entries()) types.writeInt32BE(offset, index * 6)
  const old = Buffer.concat([header(0, 0), Buffer.from('LMT\0')])
  return Buffer.concat([
    old,
    header(changes.length, offsets.length),
    times,
    types,
    Buffer.from(`LMT\0\n${rule}\n`),
  ])
}

describe('compiled files', () => {
  const madrid = tzif(0, [[828234000, 3600]], 'CET-1CEST,M3.5.0,M10.5.0/3')

  test('say what the runtime says: changes, then the rule at the end', () => {
    const source = openZoneFolder(
      folderOf({
        '+VERSION': '2026s\n',
        'Europe/Madrid': madrid,
        'America/New_York': tzif(-18000, [], 'EST5EDT,M3.2.0,M11.1.0'),
        'Australia/Lord_Howe': tzif(37800, [], '<+1030>-10:30<+11>-11,M10.1.0,M4.1.0'),
        'Asia/Tokyo': tzif(32400, [], 'JST-9'),
        'zone.tab': 'not a zone',
      }),
    )
    expect(source.release).toBe('2026s')
    for (const name of ['Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo'])
      expect(courseOf(source, name), name).toEqual(courseOf(runtimeSource, name))
  })

  test('know days by number, and summer time that never ends', () => {
    const source = openZoneFolder(
      folderOf({
        version: '1',
        'Odd/Julian': tzif(0, [], 'AAA0BBB,J60/0,300/1:30'),
        'Odd/Always': tzif(-14400, [], 'EST5EDT,0/0,J365/25'),
      }),
    )
    const first = courseOf(source, 'Odd/Julian').changes.slice(0, 2)
    expect(first.map(({ at }) => new Date(at * 1000).toISOString())).toEqual([
      '2020-03-01T00:00:00.000Z',
      '2020-10-27T00:30:00.000Z',
    ])
    expect(courseOf(source, 'Odd/Always')).toEqual({ offset: -14400, changes: [] })
  })

  const whole = { version: '1', 'Europe/Madrid': madrid }
  test.each([
    ['cut off', { ...whole, 'Europe/Rome': madrid.subarray(0, 60) }, 'Europe/Rome is cut off'],
    [
      'without its rule',
      { ...whole, 'Europe/Rome': madrid.subarray(0, -5) },
      'Europe/Rome ends with the rule',
    ],
    ['emptied', { ...whole, 'Africa/Cairo': '' }, 'Africa/Cairo is no compiled zone file'],
    [
      'contradicting itself',
      { ...whole, 'Europe/Rome': tzif(60, [], 'CET-1') },
      'contradicts its last change',
    ],
    ['of no release', { 'Europe/Madrid': madrid }, 'tells the release'],
    ['of nothing', { readme: 'x' }, 'it has neither compiled zone files nor IANA source files'],
    [
      'with a wrong line',
      { 'tzdata.zi': '# version 1\nR EU 1996 ma - Foo 1 0 0 -\n' },
      'tzdata.zi: line 2: "Foo" is none of',
    ],
    [
      'with missing rules',
      { 'tzdata.zi': '# version 1\nZ A/B 1 EU CET\n' },
      'A/B names the rules EU, which are missing',
    ],
    ['that ends early', { 'tzdata.zi': '# version 1\nZ A/B 1 - CET 2030\n' }, 'ends in the middle of a zone'],
    [
      'with a lost link',
      { 'tzdata.zi': '# version 1\nZ A/B 1 - CET\nL A/C A/D\n' },
      'A/D is another name of a zone',
    ],
  ])('a folder %s is refused in one sentence', (_what, files, problem) => {
    expect(() => openZoneFolder(folderOf(files))).toThrow(problem)
    expect(() => openZoneFolder(folderOf(files))).toThrow(
      /^GATEHOUSE_TZDATA is ".*", which cannot be used: .*\.$/,
    )
  })

  test('a folder that does not exist, and a file', () => {
    expect(() => openZoneFolder('/nonexistent')).toThrow('ENOENT')
    expect(() => openZoneFolder(import.meta.filename)).toThrow('it is no folder')
  })
})

const machine = '/usr/share/zoneinfo'

/** The machine's own data was compiled from its source by zic, which shares no code with ours. */
test.runIf(existsSync(join(machine, 'tzdata.zi')))(
  'both readers agree about every zone of this machine',
  () => {
    const compiled = openZoneFolder(machine)
    const source = openSourceFolder(machine, () => 'any')
    const names = readdirSync(machine, { recursive: true, encoding: 'utf8' }).flatMap(
      name => compiled.find(name) ?? [],
    )
    expect(names.length).toBeGreaterThan(300)
    for (const name of names) {
      const told = source && courseOf(source, name)
      expect(told, name).toEqual(courseOf(compiled, name))
      if (compiled.release === runtimeSource.release)
        expect(told, name).toEqual(courseOf(runtimeSource, name))
    }
  },
)
