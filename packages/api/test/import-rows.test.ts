import { openZone } from '@gatehouse-access/core'
import { expect, test } from 'vitest'
import { mostImportColumns } from '../src/imports/settings.ts'
import {
  headLanguages,
  headWords,
  type ImportKind,
  importColumns,
  importKinds,
  type MemberRow,
  matchHead,
  readMemberRow,
  readTable,
  type SourceRow,
  Survey,
  settleImport,
  type TableFormat,
} from '../src/index.ts'

type Given = Parameters<typeof settleImport>[0]

function readRows(text: string, given: Given = {}, format: TableFormat = 'csv', zone = 'Europe/Madrid') {
  const settings = settleImport(given)
  const table = readTable(format, settings)
  const survey = new Survey(settings, [1, 2])
  const rows: SourceRow[] = [...table.read(text), ...table.end()]
  for (const row of rows) survey.add(row)
  survey.end()
  const reading = {
    settings,
    moments: openZone(zone, null),
    is_day_first: table.head?.is_day_first ?? false,
    pin_length: survey.pin_length,
  }
  return rows.map(row => {
    const read = readMemberRow(row, reading)
    const repeat = survey.repeatOf(row)
    return { ...read, problems: repeat ? [...read.problems, repeat] : read.problems }
  })
}

function first(text: string, given?: Given, format?: TableFormat): MemberRow {
  const [row] = readRows(text, given, format)
  if (!row) throw new Error('no row')
  return row
}

const problemOf = (text: string, given?: Given) => first(text, given).problems[0]

test('from and until are understood, in six languages, with accents or without', () => {
  const heads = [
    ['name', 'from', 'until'],
    ['Name', 'von', 'bis'],
    ['nombre', 'desde', 'hasta'],
    ['nom', 'du', "jusqu'au"],
    ['nome', 'dal', 'fino al'],
    ['nome', 'início', 'ate'],
    ['Nachname', 'GÜLTIG AB', 'Gueltig-bis'.replace('ue', 'ü')],
  ]
  for (const head of heads)
    expect(matchHead('members', head)).toMatchObject({
      targets: ['name', 'starts_at', 'ends_at'],
      unknown: [],
    })
})

test('no word of a kind means two columns, so that the order of columns decides nothing', () => {
  const twice: string[] = []
  for (const kind of importKinds) {
    const seen = new Map<string, string>()
    for (const column of importColumns(kind as ImportKind))
      for (const language of headLanguages)
        for (const word of headWords[column][language]) {
          const other = seen.get(word.toLowerCase()) ?? column
          if (other !== column) twice.push(`${kind}: ${word} is ${other} and ${column}`)
          seen.set(word.toLowerCase(), column)
          expect(matchHead(kind as ImportKind, [word]).targets).toEqual([column])
        }
  }
  expect(twice).toEqual([])
})

test('an unknown column is named, a mapping says what it means or passes it over', () => {
  expect(matchHead('members', ['name', 'Abteilung', 'metadata.Room'])).toMatchObject({
    targets: ['name', null, 'metadata.Room'],
    unknown: ['Abteilung'],
  })
  expect(matchHead('members', ['Name', 'Abteilung'], { abteilung: 'metadata.department' })).toMatchObject({
    targets: ['name', 'metadata.department'],
    unknown: [],
  })
  expect(matchHead('members', ['Name', 'x'], { x: null })).toMatchObject({
    targets: ['name', null],
    unknown: [],
  })
  expect(matchHead('members', ['Name', 'nombre']).repeated).toEqual(['nombre'])
})

test('a row says what changes, and only that', () => {
  const row = first(
    'external_id;name;email;groups;from;until;language;pin;card_uid;magic_link;tags;metadata.room;is_deleted\n' +
      'R1;Ana;a@x.org;;2026-12-01 15:00;01.12.2026;-;new;04:a1:b2:c3;new;VIP;12;no\n',
  )
  expect(row).toMatchObject({
    external_id: 'R1',
    member: {
      name: 'Ana',
      starts_at: '2026-12-01T14:00:00.000000Z',
      ends_at: '2026-12-01T23:00:00.000000Z',
      language: null,
      metadata: { room: '12' },
    },
    emails: ['a@x.org'],
    groups: undefined,
    pin: {},
    card_uids: ['04A1B2C3'],
    magic_link: true,
    tags: ['VIP'],
    is_deleted: false,
    problems: [],
  })
})

test('several values in a cell, and what clears', () => {
  const row = first(
    'name,email,groups,tags,pin,card_uid,magic_link\nA,a@x.org;b@x.org;A@x.org,Staff; Pool ,-,-,-,-\n',
  )
  expect(row).toMatchObject({
    emails: ['A@x.org', 'b@x.org'],
    groups: ['Staff', 'Pool'],
    tags: [],
    pin: null,
    card_uids: [],
    magic_link: false,
  })
})

test('defaults fill empty cells', () => {
  const defaults = {
    language: 'de',
    member_group_ids: ['mg_06gxjs3e7dds3ssctgw6'],
    credentials: { pin: { length: 8 }, magic_link: true },
  }
  const [one, two] = readRows('name,groups,pin\nA,,\nB,Pool,new\n', { defaults })
  expect(one).toMatchObject({
    member: { language: 'de' },
    groups: defaults.member_group_ids,
    pin: { length: 8 },
    magic_link: true,
  })
  expect(two).toMatchObject({ groups: ['Pool'], pin: { length: 8 } })
})

test.each([
  ['name,until\nA,2026-03-29 02:30\n', 'until', /does not exist: clocks are set forward/],
  ['name,until\nA,tomorrow\n', 'until', /"tomorrow" is not a time like/],
  ['name,until\nA,31.02.2026\n', 'until', /is not a time like/],
  ['name,until\nA,03/04/2026\n', 'until', /may be day or month first/],
  [
    'name,from,until\nA,2026-12-02,2026-12-01\n',
    'until',
    /The end "2026-12-01" is not after the start "2026-12-02"/,
  ],
  ['name,email\nA,ana(at)x\n', 'email', /"ana\(at\)x" is not an email address/],
  ['name,external_id\nA,"4,12E+11"\n', 'external_id', /a spreadsheet has shortened/],
  ['name,card_uid\nA,4.1E+13\n', 'card_uid', /a spreadsheet has shortened/],
  ['name,card_uid\nA,04A1\n', 'card_uid', /is not a card UID/],
  ['name,pin\nA,12ab\n', 'pin', /4 to 20 digits/],
  ['name,pin\nA,123\n', 'pin', /at least 4 digits/],
  [`name,language\n${'x'.repeat(300)},de\n`, 'name', /is not a string of 1 to 255 characters/],
  ['name,language\nA,not a language\n', 'language', /BCP 47/],
  ['name,is_deleted\nA,maybe\n', 'is_deleted', /true or false/],
  ['name,magic_link\nA,https://x.org\n', 'magic_link', /made by the service/],
  ['name,email\nA\n', '', /1 cells, fewer than the 2 columns/],
  ['name,email\nA,a@x.org,more\n', '', /3 cells, more than/],
  ['name,email\n"A"x,a@x.org\n', '', /quote/],
])('%j is refused', (text, column, problem) => {
  expect(problemOf(text)).toMatchObject({ column, problem: expect.stringMatching(problem) })
})

test('what a row repeats is cut to 40 characters, and a PIN is never repeated', () => {
  const { problem } = problemOf(`name,email\nA,${'y'.repeat(80)}\n`) ?? {}
  expect(problem).toContain(`${'y'.repeat(40)}…`)
  const rows = readRows('name,pin\nA,004711\nB,4711\nC,4711a\nD,"4,7E+10"\nE,004711\n')
  expect(rows.map(({ problems }) => problems.length)).toEqual([0, 1, 1, 1, 1])
  expect(JSON.stringify(rows.slice(1).map(({ problems }) => problems))).not.toMatch(/471|4,7/)
  expect(rows[1]?.problems[0]?.problem).toContain('has 4 digits, but others of the file have 6')
  expect(rows[4]?.problems[0]).toEqual({ column: 'pin', problem: 'The value is the same as in line 2' })
})

test('of duplicate keys only the later ones are errors', () => {
  const rows = readRows('Kennung;Name\nA;1\nB;2\nA;3\n')
  expect(rows.map(({ problems }) => problems)).toEqual([
    [],
    [],
    [{ column: 'Kennung', problem: 'The value is the same as in line 2' }],
  ])
  const byEmail = readRows('name,email\nA,a@x.org\nB,A@X.org\n', { key: 'email' })
  expect(byEmail[1]?.problems).toHaveLength(1)
})

test('a time that occurs twice is the first, with a notice; slashes are day first where the head line is not English', () => {
  const row = first('name,until\nA,2026-10-25 02:30\n')
  expect(row).toMatchObject({ member: { ends_at: '2026-10-25T00:30:00.000000Z' }, problems: [] })
  expect(row.notices).toEqual(['Line 2: clocks show 2026-10-25 02:30 twice; the first is taken.'])
  expect(first('nombre,hasta\nA,03/04/2026 10:00\n').member.ends_at).toBe('2026-04-03T08:00:00.000000Z')
  expect(first('name,until\nA,2026-10-25T02:30:00.5+01:00\n').member.ends_at).toBe(
    '2026-10-25T01:30:00.500000Z',
  )
})

test('lines of JSON say the same as cells', () => {
  const rows = readRows(
    `{"external_id": "R1", "name": "Ana", "email": ["a@x.org"], "member_group_ids": ["Staff"], "metadata": {"room": "12"}, "language": null}\n\nnot json\n{"name": "B", "from": "2026-12-01"}\n`,
    {},
    'ndjson',
  )
  expect(rows[0]).toMatchObject({
    external_id: 'R1',
    emails: ['a@x.org'],
    groups: ['Staff'],
    member: { name: 'Ana', metadata: { room: '12' }, language: null },
    problems: [],
  })
  expect(rows[1]).toMatchObject({ line: 3, problems: [{ problem: 'The line is not a JSON object' }] })
  expect(rows[2]).toMatchObject({ line: 4, member: { starts_at: '2026-11-30T23:00:00.000000Z' } })
})

test('thousands of columns in lines of JSON cost no more than their number, and no more are kept than are allowed', () => {
  const table = readTable('ndjson', settleImport({}))
  for (let line = 0; line < 2000; line++) [...table.read(`${JSON.stringify({ [`column ${line}`]: 1 })}\n`)]
  expect(table.columns).toHaveLength(mostImportColumns + 1)
})

test('settings that contradict each other are refused', () => {
  expect(() => settleImport({ mode: 'sync' })).toThrow('source is required with mode sync')
  expect(() => settleImport({ mode: 'sync', source: 'hr' })).toThrow('max_deletes is required')
  expect(() => settleImport({ max_deletes: '5' })).toThrow('for mode sync only')
  expect(() => settleImport({ mapping: { a: 'nonsense' as never } })).toThrow('members have no column')
})
