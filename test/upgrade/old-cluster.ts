import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Debian's PostgreSQL, whose major version is older than that of the embedded one. */
export const oldBin = '/usr/lib/postgresql/15/bin'

const run = promisify(execFile)

/** Makes the database of a data folder as an earlier release would have, and lets it run. */
export async function startOldCluster(data_dir: string): Promise<AsyncDisposable & { readonly url: string }> {
  const account = await chooseAccount()
  const folder = join(data_dir, 'database')
  await chmod(data_dir, 0o711)
  await mkdir(folder, { mode: 0o700 })
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
  const flags = ['-U', 'gatehouse', '-A', 'trust', '-N', '--encoding=UTF8', '--locale=C']
  await run(join(oldBin, 'initdb'), ['-D', folder, ...flags], account)
  const making = run(join(oldBin, 'postgres'), ['--single', '-D', folder, 'postgres'], account)
  making.child.stdin?.end('CREATE DATABASE gatehouse\n')
  await making
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off']
  const child = spawn(join(oldBin, 'postgres'), ['-D', folder, ...settings.flatMap(text => ['-c', text])], {
    ...account,
    stdio: 'ignore',
  })
  const state = () => readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  while ((await state()).split('\n')[7]?.trim() !== 'ready') await sleep(10)
  return {
    url: `postgres://gatehouse@localhost/gatehouse?host=${encodeURIComponent(folder)}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT')
      await once(child, 'exit')
    },
  }
}

/** PostgreSQL refuses to run as root. */
async function chooseAccount(): Promise<{ cwd: string; uid?: number; gid: number }> {
  if (process.getuid?.() !== 0) return { cwd: '/', gid: process.getgid?.() ?? 0 }
  const ids = await Promise.all(['-u', '-g'].map(flag => run('id', [flag, 'postgres'])))
  const [uid = 0, gid = 0] = ids.map(({ stdout }) => Number(stdout))
  return { cwd: '/', uid, gid }
}
