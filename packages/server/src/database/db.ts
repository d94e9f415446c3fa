import { setTimeout as sleep } from 'node:timers/promises'
import { isAway, isConflict } from './away.ts'
import { checkDatabase, checkSame } from './check-database.ts'
import { Effects } from './effects.ts'
import { withEpochs } from './epochs.ts'
import { openServers } from './open-servers.ts'
import { Listener } from './postgres/listener.ts'
import type { ConnectionOptions, UrlOptions } from './postgres/login/address.ts'
import { type Absence, ConnectionPool } from './postgres/pool.ts'
import { asQuery, type Database, type Effect, type Pool, type Query } from './postgres/query.ts'
import type { Servers } from './postgres/servers.ts'
import { runTransaction } from './postgres/transaction.ts'
import { Shapes } from './postgres/wire/shapes.ts'

export type { ConnectionOptions, UrlOptions } from './postgres/login/address.ts'
export type { Database, Effect, Pool, Row } from './postgres/query.ts'

export interface PoolOptions {
  /** Statement timeout in milliseconds, so that slow statements cannot occupy the pool. 0 means none. */
  readonly statement_timeout?: number
  /** How many statements, and how many transactions, may wait for a connection. */
  readonly waiting?: number
  /** Longest wait for a connection, in milliseconds. */
  readonly acquire_timeout?: number
  readonly connect_timeout?: number
  readonly silence?: number
  /** Limit of prepared statements for each connection. */
  readonly most_prepared?: number
  readonly absence?: Absence
  /** Shared with other pools, so that all of them use the same server. Each pool has its own otherwise. */
  readonly servers?: Servers
  /** Called with the process of each connection for transactions that give way. All use the same connections otherwise. */
  readonly giveWay?: (pid: number) => Promise<void>
  /** Where to listen for notifications, if the pool's own connections cannot, as behind a pooler. */
  readonly listening?: Servers
}

const usual = {
  statement_timeout: 0,
  waiting: 1000,
  acquire_timeout: 5000,
  connect_timeout: 3000,
  silence: 4000,
  most_prepared: 250,
  pipeline: 16,
}

/** Of these, six can be in transactions (`ConnectionPool`): four batches of jobs, an erasure and sealing. */
const mostThatGiveWay = 8
/** Of these, three can be in transactions. */
const mostAwaited = 4
/** What has a tenth of the processors takes longer. */
const patience = 5

/** Throws a one-sentence error if the service cannot run on the database. */
export async function checkConnection(connection: UrlOptions): Promise<void> {
  using servers = openServers(connection)
  await checkDatabase(connection, () => servers.dial(usual))
}

/** Throws if the URL through a pooler and the direct one do not lead to the same database. */
export async function checkPair(main: UrlOptions, direct: UrlOptions): Promise<void> {
  using mains = openServers(main)
  using directs = openServers(direct)
  const connections = await Promise.all([mains.dial(usual), directs.dial(usual)])
  await checkSame(...connections).finally(() => connections.forEach(connection => void connection.end()))
}

/** Returns a pool that connects on the first statement. */
export function connect(connection: ConnectionOptions, size = 10, options: PoolOptions = {}): Pool {
  const limits = { ...usual, ...options, size }
  const servers = options.servers ?? openServers(connection)
  const listening = options.listening ?? servers
  const pool = new ConnectionPool(() => servers.dial(limits), limits, options.absence)
  const patient = options.giveWay ? openPatient(servers, limits, options.giveWay) : pool
  const awaited = new ConnectionPool(() => servers.dial(limits), { ...limits, size: mostAwaited })
  const listener = new Listener(() => listening.dial({ ...limits, statement_timeout: 0 }))
  const shapes = new Shapes()
  const effects = new Effects()
  return withEpochs({
    query: queryOver(pool, shapes),
    transaction: (work, { gives_way, is_awaited } = {}) => {
      const from = is_awaited ? awaited : gives_way ? patient : pool
      return repeatOnConflict(() => transact(from, shapes, effects, work))
    },
    afterCommit: effect => effects.tell([effect]),
    onCommit: (effect, listener) => effects.on(effect, listener),
    listen: (channel, onMessage) => listener.listen(channel, onMessage),
    async [Symbol.asyncDispose]() {
      listener.end()
      await Promise.all([...new Set([pool, patient, awaited])].map(each => each.end(longestGoodbye)))
      if (!options.servers) servers[Symbol.dispose]()
    },
  })
}

function openPatient(
  servers: Servers,
  limits: ConstructorParameters<typeof ConnectionPool>[1] & Parameters<Servers['dial']>[0],
  giveWay: (pid: number) => Promise<void>,
): ConnectionPool {
  const patient = {
    ...limits,
    size: mostThatGiveWay,
    statement_timeout: limits.statement_timeout * patience,
    acquire_timeout: limits.acquire_timeout * patience,
  }
  const dial = async () => {
    const connection = await servers.dial(patient)
    void giveWay(connection.pid)
    return connection
  }
  return new ConnectionPool(dial, patient)
}

/** Throws if the database does not answer. */
export async function reachDatabase(db: Database): Promise<void> {
  await db.query('SELECT 1')
}

/** Milliseconds that running statements are given to finish when a pool is closed. */
const longestGoodbye = 2000

function queryOver(pool: ConnectionPool, shapes: Shapes): Database['query'] {
  const query: Query = (text, params = [], options) =>
    new Promise((resolve, reject) =>
      pool.run({
        shape: shapes.find(text, params),
        params,
        mayPrepare: options?.prepare ?? true,
        place: 'outside',
        mayRepeat: options?.may_repeat,
        begins: false,
        resolve,
        reject,
      }),
    )
  return asQuery(query)
}

/** Announces the effects even if the connection is lost, because the commit may have succeeded. */
async function transact<T>(
  pool: ConnectionPool,
  shapes: Shapes,
  effects: Effects,
  work: (inner: Database) => Promise<T>,
): Promise<T> {
  const had = new Set<Effect>()
  try {
    const result = await runTransaction(pool, shapes, query => work(databaseOver(query, had)))
    effects.tell(had)
    return result
  } catch (error) {
    if (isAway(error)) effects.tell(had)
    throw error
  }
}

function databaseOver(query: Query, had: Set<Effect>): Database {
  const database: Database = {
    query: asQuery(query),
    transaction: work => work(database),
    afterCommit: effect => void had.add(effect),
  }
  return database
}

async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 5 || !isConflict(error)) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}
