import { chmodSync, existsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { JournalEvent, SliceMember } from '@gatehouse-access/api'
import { smallKinds } from './small-kinds.ts'
import { overwrites, schema } from './sqlite-schema.ts'
import type { ThreadAnswer, ThreadData, ThreadRequest } from './sqlite-thread.ts'
import type {
  FoundCredential,
  Notes,
  RememberedCommand,
  SmallKind,
  SmallRows,
  Storage,
  Stored,
} from './storage.ts'

/** Opens the file of a device and creates it if necessary. `journalId` is the journal id for a new file. */
export function openSqliteStorage(path: string, journalId: string): Storage {
  createFile(path, journalId)
  const reader = openReader(path)
  const thread = openThread(path)
  let generation = currentGeneration(reader.notes())
  return {
    load: () => reader.load(),
    write: changes => thread.ask({ type: 'write', changes }) as Promise<void>,
    readJournal: (after, limit) => thread.ask({ type: 'read', after, limit }) as Promise<JournalEvent[]>,
    refresh() {
      reader.refresh()
      generation = currentGeneration(reader.notes())
    },
    async scrub() {
      // A reader of an older state keeps the log from being moved into the file. Any reader keeps it from being
      // truncated, unless it began when everything was in the file.
      for (const mode of ['PASSIVE', 'FULL', 'TRUNCATE'] as const) {
        await thread.ask({ type: 'checkpoint', mode })
        reader.refresh()
      }
    },
    smallRows: () => reader.smallRows(generation),
    findCredentials: (kind, hash) => reader.findCredentials(generation, kind, hash),
    findMember: id => reader.findMember(generation, id),
    async close() {
      reader.close()
      await thread.close()
    },
  }
}

/** Only the owner may read the file: it contains the hashes of PINs and the key for them. */
function createFile(path: string, journalId: string): void {
  const isNew = !existsSync(path)
  const db = new DatabaseSync(path)
  if (existsSync(path)) chmodSync(path, 0o600)
  db.exec(schema)
  if (isNew) db.exec(`PRAGMA user_version = ${overwrites}`)
  db.prepare(`INSERT OR IGNORE INTO notes VALUES ('journal_id', ?)`).run(JSON.stringify(journalId))
  db.close()
}

function currentGeneration(notes: Notes): number {
  return notes.policy?.generation ?? 0
}

/** Reads in a single transaction that lasts until `refresh`, so that concurrent writes are not visible. */
function openReader(path: string) {
  const db = new DatabaseSync(path, { readOnly: true })
  const prepare = (text: string): StatementSync => db.prepare(text)
  const credential = prepare(
    'SELECT id, member_id FROM credentials WHERE generation = ? AND hash = ? AND kind = ?',
  )
  const member = prepare('SELECT value FROM members WHERE generation = ? AND id = ?')
  const small = prepare('SELECT value FROM rows WHERE generation = ? AND kind = ? ORDER BY id')
  const noted = prepare('SELECT name, value FROM notes')
  const begin = () => {
    db.exec('BEGIN')
    noted.get()
  }
  const notes = () =>
    Object.fromEntries(noted.all().map(row => [row.name, JSON.parse(String(row.value))])) as Notes & {
      journal_id: string
      acknowledged?: number
    }
  begin()
  return {
    notes,
    load(): Stored {
      const { journal_id, acknowledged = 0, ...rest } = notes()
      const journal = prepare('SELECT max(sequence) AS last, count(*) AS count FROM journal').get()
      return {
        notes: rest,
        journal_id,
        acknowledged,
        last_sequence: Math.max(Number(journal?.last ?? 0), acknowledged),
        events: Number(journal?.count),
        commands: prepare('SELECT * FROM commands').all() as unknown as RememberedCommand[],
      }
    },
    refresh() {
      db.exec('COMMIT')
      begin()
    },
    smallRows(generation: number): SmallRows {
      const read = (kind: SmallKind) => small.all(generation, kind).map(row => JSON.parse(String(row.value)))
      return Object.fromEntries(smallKinds.map(kind => [kind, read(kind)])) as unknown as SmallRows
    },
    findCredentials: (generation: number, kind: string, hash: string) =>
      credential.all(generation, hash, kind) as unknown as FoundCredential[],
    findMember(generation: number, id: string): SliceMember | undefined {
      const row = member.get(generation, id)
      return row && JSON.parse(String(row.value))
    },
    close: () => db.close(),
  }
}

type Asked = ThreadRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'id'>
    : never
  : never

function openThread(path: string) {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
    workerData: { path, small_kinds: smallKinds } satisfies ThreadData,
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  worker.on('message', ({ id, value, error }: ThreadAnswer) => {
    const waiter = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) waiter?.resolve(value)
    else waiter?.reject(new Error(error))
  })
  worker.on('error', error => {
    for (const waiter of waiting.values()) waiter.reject(error)
  })
  const ask = (request: Asked): Promise<unknown> => {
    const waiter = Promise.withResolvers<unknown>()
    waiting.set(++lastId, waiter)
    worker.postMessage({ ...request, id: lastId })
    return waiter.promise
  }
  return {
    ask,
    async close(): Promise<void> {
      await ask({ type: 'close' })
      await worker.terminate()
    },
  }
}
