import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApiError, type Client, createClient, type StreamedEvent } from '@gatehouse-access/sdk'
import { connect, findConnection } from '@gatehouse-access/server'
import {
  findFreePort,
  isSoak,
  makeDataFolder,
  openAccess,
  type Service,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'

const later = 25

test.runIf(isSoak)(
  'a service is restored from a copy of its files: a cursor from after the copy is told where to go on, and misses nothing',
  {
    ...within(120),
  },
  async () => {
    await using owned = new AsyncDisposableStack()
    const { path } = owned.use(await makeDataFolder())
    const [database, copy] = [join(path, 'database'), join(path, 'copy')]
    const options = { port: await findFreePort(), env: { GATEHOUSE_DATA_DIR: path } }
    let service: Service = await startService(options)
    owned.defer(async () => void (await service.terminate()))
    const { token } = await openAccessOnce(path)
    const client = createClient({ base_url: `${service.url}/v2`, token, retries: 0 })

    await createMembers(client, 3)
    const known = await follow(client, '0.0.0', 3)
    await service.terminate()
    await copyFiles(database, copy)
    service = await startService(options)
    await createMembers(client, later)
    // A cursor from before the copy continues after it, across the restart.
    const lost = await follow(client, known.cursor, later)

    await service.terminate()
    await rm(database, { recursive: true })
    await copyFiles(copy, database)
    service = await startService(options)
    const names = await createMembers(client, later)

    const refusal = await follow(client, lost.cursor, later).catch(error => error as ApiError)
    expect(refusal).toBeInstanceOf(ApiError)
    const { status, type, args } = refusal as ApiError
    expect({ status, type, args }).toEqual({
      status: 410,
      type: 'cursor_ahead',
      args: { field: 'after', cursor: known.cursor },
    })
    expect((await follow(client, args.cursor as string, later)).names).toEqual(names)
    expect((await follow(client, known.cursor, later)).names).toEqual(names)
    expect(await followSocket(service.url, token, lost.cursor)).toEqual(names)
  },
)

/** Keeps the file owner, which PostgreSQL requires. */
const copyFiles = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])

async function openAccessOnce(dataDir: string) {
  await using db = connect(findConnection(dataDir), 1)
  return await openAccess(db)
}

let count = 0

async function createMembers(client: Client, amount: number): Promise<string[]> {
  const names = Array.from({ length: amount }, () => `Member ${++count}`)
  for (const name of names) await client.members.create({ name })
  return names
}

const wish = { filter: [{ object_type: 'member' }], expand: ['object_member'] }

type Told = StreamedEvent['event'] & { readonly object_member: { readonly name: string } }

/** Returns the names of the given number of new members after a cursor, and the last cursor. */
async function follow(client: Client, after: string, amount: number) {
  const names: string[] = []
  for await (const { event, cursor } of client.events.stream({ ...wish, after } as never)) {
    names.push((event as Told).object_member.name)
    if (names.length === amount) return { names, cursor }
  }
  throw new Error('the stream ended')
}

/** Subscribes with a cursor. If it is refused, subscribes with the cursor that the error names. */
function followSocket(url: string, token: string, after: string): Promise<string[]> {
  const names: string[] = []
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v2/events/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const subscribe = (from: string) => socket.send(JSON.stringify({ type: 'subscribe', ...wish, after: from }))
  socket.once('open', () => subscribe(after))
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', data => {
      const { type, error, event } = JSON.parse(String(data))
      if (type === 'error') subscribe(error.args.cursor)
      if (type === 'event') names.push(event.object_member.name)
      if (names.length < later) return
      socket.terminate()
      resolve(names)
    })
  })
}
