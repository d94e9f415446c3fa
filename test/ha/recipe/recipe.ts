import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeEmptyFolder } from '@gatehouse-access/testkit'
import { findProgram } from '../find-program.ts'
import { Cable } from './cable.ts'
import { type Account, Machine, Program, postgresAccount } from './machine.ts'

const run = promisify(execFile)
const files = join(import.meta.dirname, '../../../deploy/high-availability')
const names = ['db1', 'db2', 'db3'] as const
const password = 'correct-horse'

/** The programs of docs/high-availability.md that are not installed. */
export function findMissing(): string[] {
  const programs = ['patroni', 'etcd', 'haproxy', 'pgbouncer'].filter(name => !findProgram(name))
  return existsSync('/usr/lib/postgresql/15/bin/postgres') ? programs : ['postgresql-15', ...programs]
}

/** The recipe of docs/high-availability.md on one machine: its files, with other addresses and folders. */
export interface Recipe extends AsyncDisposable {
  readonly machines: readonly Machine[]
  /** All three servers, for libpq. */
  readonly url: string
  /** Through HAProxy. */
  readonly proxied: string
  /** Through PgBouncer, which goes through HAProxy. */
  readonly pooled: string
  /** The standbys, through HAProxy. */
  readonly standbys: string
  /** The machine that Patroni says is the primary, and whether a standby has everything. */
  leader(): Promise<Machine | undefined>
  isSynchronous(): Promise<boolean>
  switchOver(): Promise<void>
}

/** Each machine has an address of its own on loopback, where its cable is, and another behind the cable. */
const outside = (index: number) => `127.44.1.${11 + index}`
const inside = (index: number) => `127.44.2.${11 + index}`
/** Where a machine finds etcd: the far end of its cable. */
const exit = (index: number) => `127.44.3.${11 + index}`
const proxy = '127.44.4.1'

export async function followRecipe(): Promise<Recipe> {
  await using owned = new AsyncDisposableStack()
  const { path } = owned.use(await makeEmptyFolder())
  await chmod(path, 0o755)
  const account = await postgresAccount()
  const place = { path, account, owned }
  for (const index of names.keys()) await startEtcd(place, index)
  const machines: Machine[] = []
  for (const index of names.keys()) machines.push(await openMachine(place, index))
  for (const machine of machines) machine.start()
  await startProxies(place)
  const recipe = describe(path, machines)
  while (!(await recipe.isSynchronous())) await sleep(200)
  await createDatabase(recipe)
  const stack = owned.move()
  return { ...recipe, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

interface Place {
  readonly path: string
  readonly account: Account
  readonly owned: AsyncDisposableStack
}

async function startEtcd({ path, account, owned }: Place, index: number): Promise<void> {
  const folder = join(path, `etcd${index}`)
  const text = (await readFile(join(files, 'etcd'), 'utf8')).replaceAll('/var/lib/etcd/gatehouse', folder)
  const renamed = adapt(text, index, outside).replace('ETCD_NAME=db1', `ETCD_NAME=${names[index]}`)
  const lines = renamed.split('\n').filter(line => line.startsWith('ETCD_'))
  const env = Object.fromEntries(
    lines.map(line => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  )
  await makeOwned(folder, account, 0o700)
  const unsupported = process.arch === 'x64' ? {} : { ETCD_UNSUPPORTED_ARCH: process.arch }
  const etcd = new Program('etcd', [], join(path, `etcd${index}.log`), account, { ...env, ...unsupported })
  etcd.start()
  owned.use(etcd)
}

/** Replaces the addresses of the recipe: those of db1 as the file's own, then the three of the others. */
function adapt(text: string, index: number, own: (index: number) => string, others = outside): string {
  return text
    .split('\n')
    .map(line =>
      names.every((_, at) => line.includes(`10.0.0.${11 + at}`))
        ? line.replaceAll(/10\.0\.0\.1([123])/g, (_, digit) => others(Number(digit) - 1))
        : line.replaceAll('10.0.0.11', own(index)),
    )
    .join('\n')
}

async function openMachine({ path, account, owned }: Place, index: number): Promise<Machine> {
  const name = names[index] as string
  const folder = join(path, name)
  await makeOwned(folder, account, 0o700)
  const text = (await readFile(join(files, 'patroni.yml'), 'utf8'))
    .replace('name: db1', `name: ${name}`)
    .replaceAll('/var/lib/postgresql/15/gatehouse', join(folder, 'data'))
    .replaceAll('/var/lib/postgresql/gatehouse.pgpass', join(folder, 'pgpass'))
    .replaceAll('/var/run/postgresql', folder)
    .replaceAll(/(SUPERUSER|REPLICATION)_PASSWORD/g, password)
    .replaceAll('10.0.0.0/24', '127.0.0.0/8')
    .replaceAll('connect_address: 10.0.0.11', `connect_address: ${outside(index)}`)
    // Asks the addresses at the end of its cable, instead of those that etcd advertises.
    .replace(/hosts: .*/, `hosts: ${exit(index)}:2379\n  use_proxies: true`)
  const file = join(folder, 'config.yml')
  await writeFile(file, adapt(text, index, inside), { mode: 0o640 })
  if (account.uid !== undefined) await chown(file, account.uid, account.gid ?? 0)
  const cable = await Cable.plugIn([
    ...[5432, 8008].map(port => ({ host: outside(index), port, to: { host: inside(index), port } })),
    { host: exit(index), port: 2379, to: { host: outside(index), port: 2379 } },
  ])
  const patroni = new Program('patroni', [file], join(path, `${name}.log`), account)
  return owned.use(new Machine(name, outside(index), join(folder, 'data'), patroni, cable))
}

async function startProxies({ path, account, owned }: Place): Promise<void> {
  const haproxy = (await readFile(join(files, 'haproxy.cfg'), 'utf8'))
    .replaceAll(/10\.0\.0\.1([123])/g, (_, digit) => outside(Number(digit) - 1))
    .replaceAll('bind 127.0.0.1', `bind ${proxy}`)
  await writeFile(join(path, 'haproxy.cfg'), haproxy)
  await writeFile(join(path, 'userlist.txt'), `"gatehouse" "${password}"\n`)
  const bouncer = (await readFile(join(files, 'pgbouncer.ini'), 'utf8'))
    .replaceAll('127.0.0.1', proxy)
    .replaceAll(/\/etc\/pgbouncer|\/var\/run\/postgresql|\/var\/log\/postgresql/g, path)
  await writeFile(join(path, 'pgbouncer.ini'), bouncer)
  if (account.uid !== undefined) await chown(path, account.uid, account.gid ?? 0)
  const programs = [
    new Program('haproxy', ['-db', '-f', join(path, 'haproxy.cfg')], join(path, 'haproxy.log'), account),
    new Program('pgbouncer', [join(path, 'pgbouncer.ini')], join(path, 'pgbouncer.out'), account),
  ]
  for (const program of programs) owned.use(program).start()
}

function describe(path: string, machines: readonly Machine[]): Omit<Recipe, keyof AsyncDisposable> {
  const config = join(path, 'db1', 'config.yml')
  const urlAt = (hosts: string) => `postgres://gatehouse:${password}@${hosts}/gatehouse`
  const members = async () => {
    const asked = await Promise.all(machines.map(({ address }) => askCluster(address)))
    return asked.find(Boolean) ?? []
  }
  return {
    machines,
    url: `${urlAt(machines.map(({ address }) => `${address}:5432`).join())}?target_session_attrs=read-write`,
    proxied: urlAt(`${proxy}:5000`),
    pooled: urlAt(`${proxy}:6432`),
    standbys: urlAt(`${proxy}:5001`),
    async leader() {
      const leader = (await members()).find(({ role, state }) => role === 'leader' && state === 'running')
      return machines.find(({ name }) => name === leader?.name)
    },
    async isSynchronous() {
      const all = await members()
      const leader = all.find(({ role }) => role === 'leader')
      // A standby that has yet to be rewound counts as running, but is on another timeline.
      const isHealthy = ({ state, timeline, lag = 0 }: Member) =>
        /^(running|streaming)$/.test(state) && timeline === leader?.timeline && Number(lag) < 1_000_000
      return all.filter(isHealthy).length === names.length && all.some(({ role }) => role === 'sync_standby')
    },
    async switchOver() {
      await run('patronictl', ['-c', config, 'switchover', '--force'], {
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      })
    },
  }
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | string
}

async function askCluster(address: string): Promise<readonly Member[] | undefined> {
  try {
    const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1000) })
    return ((await answer.json()) as { members: Member[] }).members
  } catch {
    return undefined
  }
}

async function createDatabase(recipe: Pick<Recipe, 'leader'>): Promise<void> {
  const leader = await recipe.leader()
  const ask = (text: string) =>
    run('psql', [`postgres://postgres:${password}@${leader?.address}:5432/postgres`, '-c', text])
  await ask(`CREATE ROLE gatehouse LOGIN PASSWORD '${password}'`)
  await ask('CREATE DATABASE gatehouse OWNER gatehouse')
  await ask(`ALTER ROLE gatehouse IN DATABASE gatehouse SET statement_timeout = '20s'`)
}

async function makeOwned(folder: string, { uid, gid }: Account, mode: number): Promise<void> {
  await mkdir(folder, { mode })
  if (uid !== undefined) await chown(folder, uid, gid ?? 0)
}
