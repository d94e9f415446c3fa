import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { findFreePort, type World, world } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Input } from '../../packages/cli/src/command.ts'
import { upgradeTo } from '../../packages/cli/src/commands/upgrade.ts'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { FakeMachine } from './fake-machine.ts'

let w: World
let data: string
let env: Record<string, string>
let machine: FakeMachine
let printed: string[]

beforeEach(async () => {
  w = await world()
  data = await mkdtemp(join(tmpdir(), 'gatehouse-upgrade-data-'))
  const port = await findFreePort()
  env = {
    DATABASE_URL: w.database_url,
    GATEHOUSE_SECRET_KEY: w.server.context.config.secret_keys[0].toString('base64'),
    GATEHOUSE_DATA_DIR: data,
    PORT: String(port),
  }
  machine = new FakeMachine(port)
  printed = []
  await machine.start()
})
afterEach(async () => {
  await machine[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
  await rm(data, { recursive: true })
})

/** Calls the command as on the machine. */
function upgrade(...flags: string[]): Promise<void> {
  const input: Input = {
    env,
    parameters: [],
    text: () => undefined,
    texts: () => [],
    flag: name => flags.includes(name),
    terminal: { stdin: Readable.from(['']), stdout: { write: () => {} }, stderr: { write: () => {} } },
    print: line => printed.push(line),
    exitWith: () => {},
  }
  return upgradeTo(input, machine.file, machine.installed, machine)
}

const back = async () => {
  await w.server.context.db.query(`DELETE FROM schema_migrations WHERE name = '998-more.sql'`)
}

test('the new version is tried, backed up for, started beside the old one, and installed once it is ready', async () => {
  await expect(upgrade('yes')).rejects.toThrow(
    /No backup can be made .*GATEHOUSE_BACKUP_DIR.*--without-backup/,
  )
  env.GATEHOUSE_BACKUP_DIR = join(data, 'backups')
  await gatehouse(['backup', 'key'], env)
  await expect(upgrade()).rejects.toMatchObject({ name: 'ConfirmationNeeded' })
  expect(printed.join('\n')).toContain(`make a backup in ${data}/backups`)
  expect([machine.running, existsSync(machine.installed.stage)]).toEqual(['old', false])

  await upgrade('yes')
  expect(machine.done.slice(-8)).toEqual([
    'dpkg-deb --field Package Version Architecture',
    'dpkg-deb --extract',
    '/usr/lib/gatehouse-next/usr/lib/gatehouse/bin/gatehouse upgrade --check --json',
    'systemctl daemon-reload',
    'systemctl restart gatehouse',
    'apt-get install --yes --quiet --allow-downgrades --option=DPkg::Lock::Timeout=300',
    'systemctl daemon-reload',
    'systemctl restart gatehouse',
  ])
  expect((await readdir(join(data, 'backups'))).filter(name => name.endsWith('.manifest'))).toHaveLength(1)
  expect([machine.running, machine.package, machine.isChosen]).toEqual(['new', 'new', false])
  expect(existsSync(machine.installed.stage)).toBe(false)
  expect(printed.at(-1)).toBe('9.9.9 is running.')
})

test('if it does not start, the old one runs again, or a restore is named as the way', async () => {
  machine.startNew = async () => 'broken'
  await expect(upgrade('yes', 'without-backup')).rejects.toThrow(/\d runs again, on the database as it was/)
  expect([machine.running, machine.package, machine.isChosen]).toEqual(['old', 'old', false])

  machine.startNew = async () => {
    await w.server.context.db.query(`INSERT INTO schema_migrations VALUES ('998-more.sql', now())`)
    return 'broken'
  }
  await expect(upgrade('yes', 'without-backup')).rejects.toThrow(
    /it has migrated the database, which .* cannot use any more\. The service is stopped, and a restore is the way back/,
  )
  expect([machine.running, machine.package, machine.isChosen]).toEqual([undefined, 'old', false])
  await back()
  await expect(upgrade('yes', 'without-backup')).rejects.toThrow('The service is not ready (ECONNREFUSED)')
})

/** Lets a step of the command never end, as if it was killed, and then the machine start again. */
async function killAt(step: number): Promise<void> {
  machine.done.length = 0
  machine.package = 'old'
  machine.hangs_at = step
  machine.hung = Promise.withResolvers<void>()
  void upgrade('yes', 'without-backup')
  await machine.hung.promise
  machine.hangs_at = Number.POSITIVE_INFINITY
  // The kernel would have released it.
  await rm(join(machine.root, 'run/gatehouse-upgrade.lock'))
}

async function expectUpgraded(): Promise<void> {
  await upgrade('yes', 'without-backup')
  expect([machine.running, machine.package, machine.isChosen]).toEqual(['new', 'new', false])
  await machine.stop()
  machine.package = 'old'
  await machine.start()
}

test('killed at any step, there is a version to start, and the upgrade goes on when it is repeated', async () => {
  const steps = 8
  for (let step = 1; step < steps; step++) {
    await killAt(step)
    await machine.stop()
    await machine.start()
    expect([step, machine.running]).toEqual([step, step < 4 && !machine.isChosen ? 'old' : 'new'])
    await expectUpgraded()
  }
})

test('killed while it goes back, it can be repeated', async () => {
  for (const step of [5, 6, 7]) {
    machine.startNew = async () => 'broken'
    await killAt(step)
    machine.startNew = async () => 'ready'
    await expectUpgraded()
  }
})

test('what cannot be upgraded is refused in a sentence', async () => {
  const to = (...flags: string[]) => gatehouse(['upgrade', '--to', ...flags], env)
  expect(await to('0.2.0')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was not installed by a Debian or a global npm package'),
  })
  expect((await to('0.2.0', '--check')).code).toBe(2)
  await rm(machine.file)
  await expect(upgrade('yes')).rejects.toThrow(/There is no file .*gatehouse_9\.9\.9_any\.deb/)
})
