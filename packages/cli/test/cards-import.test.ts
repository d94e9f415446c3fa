import { createClient } from '@gatehouse-access/sdk'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse, gatehouseProcess } from './gatehouse.ts'

const id = 'crd_0123456789abcdefghjk'

test('cards go into the stock and are adopted by id', async () => {
  await using w = await world()
  const { token } = await w.tenant()
  const env = { DATABASE_URL: w.database_url }
  const file = `id,uid,printed_code\r\n${id},04a1b2c3d4e5f6,"GH ""1"""\r\n,0A0B0C0D,\r\n\r\n`
  const run = () => gatehouseProcess(['cards', 'import', '-'], env, file)
  expect(await run()).toMatchObject({ code: 0, stdout: 'Added 2 cards to the stock.\n' })
  const client = createClient({ base_url: `${w.url}/v2`, token })
  expect(await client.cards.create({ id })).toMatchObject({ uid: '04A1B2C3D4E5F6', printed_code: 'GH "1"' })
  const again = await run()
  expect(again.code).toBe(1)
  expect(again.stderr).toContain(`line 2: id ${id} is already in the stock\n`)
  expect(again.stderr).toContain('line 3: uid 0A0B0C0D is already in the stock\n')
})

test('one wrong line keeps all out, and each is named', async () => {
  await using w = await world()
  const env = { DATABASE_URL: w.database_url }
  const file = 'uid,printed_code,id\n04A1B2C3D4E5F6,A,\n,,\nxyz,B,\n,A,\n,C,card_1\n,D,\n'
  const { code, stdout, stderr } = await gatehouse(['cards', 'import', '-'], env, file)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.split('\n')).toEqual([
    'line 4: uid must be a card UID of 4, 7 or 10 bytes in hex, not "xyz"',
    'line 5: printed_code A is already in line 2',
    'line 6: id must be a card id (crd_…), not "card_1"',
    'Nothing was imported: 3 errors.',
    '',
  ])
  expect(await w.server.context.db.query('SELECT 1 FROM card_stock')).toEqual([])
})

test.each([
  [
    'serial\nA\n',
    'The first line of - must name the columns, each of id, uid, printed_code at most once, not "serial".\n',
  ],
  ['', 'The first line of - must name the columns, each of id, uid, printed_code at most once, not "".\n'],
  ['uid\nA,B\n', 'Line 2 of - has 2 cells under 1 columns.\n'],
  ['uid\n"A\n', 'The file - is not valid CSV: line 2 has a misplaced quote.\n'],
])('%j is refused', async (file, stderr) => {
  expect(await gatehouse(['cards', 'import', '-'], {}, file)).toEqual({ code: 1, stdout: '', stderr })
})

test('a file that is not there is named', async () => {
  const { stderr } = await gatehouse(['cards', 'import', '/nowhere.csv'])
  expect(stderr).toMatch(/^The file \/nowhere.csv cannot be read: /)
})
