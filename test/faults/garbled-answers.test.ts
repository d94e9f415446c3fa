import { connect, type Pool } from '@gatehouse-access/server'
import { Chance, cloneDatabase, seed, type TestDatabase, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { message, openImpostor, signInBy } from './impostor.ts'
import { record, repeat, type Speech } from './parrot.ts'

/** `npm run soak -- 5000 wire` runs many more. */
const seeds = Number(process.env.GATEHOUSE_SEEDS ?? 0) || 60
const chance = new Chance(seed)
const patience = { connect_timeout: 700, silence: 300, acquire_timeout: 1000 }
const abreast = 20
const megabyte = 1024 * 1024

let database: TestDatabase
let speech: Speech

beforeAll(async () => {
  database = await cloneDatabase(inject('databases'))
  speech = await record(database.url, ask)
})
afterAll(() => database[Symbol.asyncDispose]())

/**
 * Runs every kind of query: with parameters, prepared, simple protocol, in a transaction, rejected, and with
 * parsed types.
 */
async function ask(db: Pool): Promise<unknown[]> {
  const many = `SELECT n, 'word ' || n AS word, now() AS time, '{"a":[1]}'::jsonb AS data, NULL AS none FROM generate_series(1, $1) n`
  const asked = [
    () => db.query(many, [20]),
    () => db.query(many, [3]),
    () => db.query('SELECT 1; SELECT 2', [], { prepare: false }),
    () => db.query('SELECT 1 / $1::int', [0]).catch(({ code }) => code),
    () => db.transaction(inner => inner.query('SELECT $1::text[] AS words', [['a', 'b']])),
  ]
  const answers = []
  for (const question of asked) answers.push(await question())
  return answers
}

describe('a server that garbles its answers', () => {
  it('is understood while it says the truth', async () => {
    await using parrot = await repeat(speech, true)
    await using db = connect({ url: parrot.url(database.url) }, 1, patience)
    const [many, few, last, refused, words] = await ask(db)
    expect([many, few]).toMatchObject([{ length: 20 }, { length: 3 }])
    expect([last, refused, words]).toEqual([[{ '?column?': 2 }], '22012', [{ words: ['a', 'b'] }]])
  })

  it(`hangs nothing and breaks nothing but its connection, ${seeds} times`, {
    ...within(60),
  }, async () => {
    for (let left = seeds; left > 0; left -= abreast)
      await Promise.all(
        Array.from({ length: Math.min(abreast, left) }, () => hearGarbled(chance.whole(0, 2 ** 32 - 1))),
      )
  })
})

async function hearGarbled(own: number): Promise<void> {
  const random = randomFrom(own)
  await using parrot = await repeat(garble(speech, random), random(2) === 0)
  await using db = connect({ url: parrot.url(database.url) }, 1, patience)
  const outcome = await Promise.race([ask(db).catch(error => error as Error), late(20_000)])
  expect(outcome, `seed ${own}`).not.toBe('late')
  if (outcome instanceof Error)
    expect([own, outcome.name]).toEqual([
      own,
      expect.stringMatching(/^(ConnectionError|PostgresError|BusyError)$/),
    ])
}

function late(milliseconds: number): Promise<'late'> {
  return new Promise(resolve => setTimeout(resolve, milliseconds, 'late').unref())
}

type Random = (below: number) => number

/** Returns a random number generator that a seed reproduces. */
function randomFrom(start: number): Random {
  let state = start
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function garble(parts: Speech, random: Random): Speech {
  const garbled: Buffer[] = parts.map(part => Buffer.from(part))
  for (let left = 1 + random(3); left > 0; left--) {
    const at = random(garbled.length)
    garbled[at] = ways[random(ways.length)]?.(garbled[at] as Buffer, random) as Buffer
  }
  return garbled
}

const ways: ((part: Buffer, random: Random) => Buffer)[] = [
  (part, random) => part.subarray(0, random(part.length)),
  (part, random) => Buffer.concat([part, part.subarray(random(part.length))]),
  changeByte,
  changeByte,
  (part, random) =>
    changeLength(part, random, [0, 3, 4, 5, 2 ** 31, 2 ** 32 - 1, 17 * megabyte, random(200)]),
  (part, random) => changeLength(part, random, [random(40)]),
  (part, random) => insert(part, random, message(String.fromCharCode(random(256)), Buffer.alloc(random(40)))),
  (part, random) => insert(part, random, message('E', Buffer.from('SFATAL\0M'))),
  (part, random) => insert(part, random, message('D', Buffer.from([0, 5, 0, 0, 0, 9]))),
  (part, random) => Buffer.concat(messagesOf(part).filter(() => random(4) > 0)),
  part => Buffer.concat(messagesOf(part).reverse()),
  part => part.subarray(-6),
  () => Buffer.alloc(0),
]

function changeByte(part: Buffer, random: Random): Buffer {
  if (part.length > 0) part[random(part.length)] = random(256)
  return part
}

function changeLength(part: Buffer, random: Random, lengths: readonly number[]): Buffer {
  const messages = messagesOf(part)
  const chosen = messages[random(messages.length)]
  if (chosen && chosen.length > 4) chosen.writeUInt32BE(lengths[random(lengths.length)] as number, 1)
  return Buffer.concat(messages)
}

function insert(part: Buffer, random: Random, bytes: Buffer): Buffer {
  return Buffer.concat(messagesOf(part).toSpliced(random(5), 0, bytes))
}

/** Splits into complete messages. Garbled data may leave an incomplete rest. */
function messagesOf(part: Buffer): Buffer[] {
  const messages: Buffer[] = []
  let at = 0
  while (part.length - at >= 5) {
    const end = at + 1 + Math.max(4, part.readUInt32BE(at + 1))
    messages.push(part.subarray(at, end))
    at = Math.min(end, part.length)
  }
  return [...messages, part.subarray(at)]
}

describe('what a server may make us hold', () => {
  it('is bounded before it has let us in, and afterwards', async () => {
    let sent = 0
    const flood = message('N', Buffer.alloc(megabyte), 2 ** 31)
    await using impostor = await openImpostor({
      greet(socket) {
        const pour = () => {
          while (!socket.destroyed && sent < 512 * megabyte) {
            sent += megabyte
            if (!socket.write(sent === megabyte ? Buffer.concat([signInBy(0), flood]) : flood)) break
          }
        }
        socket.on('drain', pour)
        pour()
      },
    })
    await using db = connect({ url: `${impostor.url}?sslmode=disable` }, 1)
    const before = process.memoryUsage().arrayBuffers
    await expect(db.query('SELECT 1')).rejects.toThrow('a message has 2147483648 bytes')
    expect(sent).toBeLessThan(64 * megabyte)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * megabyte)
  })
})
