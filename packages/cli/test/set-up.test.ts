import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatSettings, parseSettings, withSettingsFile } from '../src/settings-file.ts'
import { gatehouse } from './gatehouse.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-machine-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const settings = () => join(root, 'etc/gatehouse/gatehouse.env')
const unit = (name: string) => join(root, 'etc/systemd/system', `${name}.service`)

async function flags(): Promise<string[]> {
  const [port, plain] = [await findFreePort(), await findFreePort()]
  const files = ['--tls', 'files', '--certificate', '/etc/cert.pem', '--key', '/etc/key.pem']
  const places = ['--root', root, '--host', '127.0.0.1', '--port', String(port), '--http-port', String(plain)]
  return ['set-up', '--name', 'localhost', ...files, ...places]
}

test('a machine is set up by flags; again, it shows what changes and asks first', async () => {
  const given = await flags()
  const first = await gatehouse([...given, '--backup', '/mnt/backup'])
  expect([first.stderr, first.code]).toEqual(['', 0])
  expect(first.stdout).toContain('+ GATEHOUSE_PUBLIC_URL=https://localhost')
  expect(statSync(settings()).mode & 0o777).toBe(0o600)
  expect(parseSettings(readFileSync(settings(), 'utf8'))).toMatchObject({
    GATEHOUSE_TLS: 'files',
    GATEHOUSE_DATA_DIR: '/var/lib/gatehouse',
    GATEHOUSE_BACKUP_DIR: '/mnt/backup',
  })
  const text = readFileSync(unit('gatehouse'), 'utf8')
  for (const line of [
    'Type=notify',
    'WatchdogSec=30',
    'KillMode=mixed',
    'ProtectSystem=strict',
    'User=gatehouse',
  ])
    expect(text).toContain(line)
  expect(text).toMatch(/^ExecStart=\/.* serve$/m)
  expect(readFileSync(`${unit('gatehouse')}.d/folders.conf`, 'utf8')).toContain('ReadWritePaths=-/mnt/backup')

  const before = readFileSync(settings(), 'utf8')
  const again = await gatehouse(['set-up', '--root', root])
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('stays as it is.')])
  const other = ['set-up', '--root', root, '--smtp-url', 'smtp://me:hush@mail.example']
  const asked = await gatehouse(other)
  expect([asked.code, asked.stdout]).toEqual([3, expect.stringContaining('+ GATEHOUSE_SMTP_URL=(secret)')])
  expect(asked.stdout).not.toContain('hush')
  expect(readFileSync(settings(), 'utf8')).toBe(before)
  expect((await gatehouse([...other, '--yes'])).code).toBe(0)
  expect(readFileSync(settings(), 'utf8')).toContain('GATEHOUSE_SMTP_URL=smtp://me:hush@mail.example')
  expect(readdirSync(join(root, 'etc/gatehouse'))).toEqual(['gatehouse.env'])
})

test('what cannot work is refused in a sentence, and nothing is written', async () => {
  const given = await flags()
  const missing = await gatehouse(['set-up', '--root', root])
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('needs --name')])
  const nowhere = await gatehouse([...given.map(text => (text === 'localhost' ? 'nowhere.invalid' : text))])
  expect([nowhere.code, nowhere.stdout]).toEqual([
    1,
    expect.stringContaining('nowhere.invalid does not resolve'),
  ])
  const bare = await gatehouse(['set-up', '--root', root, '--name', 'localhost', '--tls', 'acme'])
  expect([bare.code, bare.stderr]).toEqual([1, expect.stringContaining('it must have a public name')])
  expect(existsSync(settings())).toBe(false)
  expect(existsSync(unit('gatehouse'))).toBe(false)
})

test('units are installed and removed, for the service and for the controller', async () => {
  expect((await gatehouse(['service', 'install', '--root', root])).code).toBe(0)
  const edge = await gatehouse(['service', 'install', '--edge', '--root', root])
  expect(edge.stdout).toContain(`Wrote ${unit('gatehouse-edge')}.`)
  expect(readFileSync(unit('gatehouse-edge'), 'utf8')).toMatch(
    /^ExecStart=\/.*--data \/var\/lib\/gatehouse-edge/m,
  )
  const again = await gatehouse(['service', 'install', '--edge', '--root', root])
  expect(again.stdout).toContain('is as it should be')
  expect((await gatehouse(['service', 'uninstall', '--edge', '--root', root])).code).toBe(0)
  expect([existsSync(unit('gatehouse-edge')), existsSync(unit('gatehouse'))]).toEqual([false, true])
})

test('the settings file is read as systemd reads it, and an instance that is named wins', () => {
  const values = { A: 'plain', B: 'with "quotes" and \\ and spaces', C: 'a=b', D: '' }
  expect(parseSettings(formatSettings(values))).toEqual(values)
  expect(parseSettings('# no\n\n A = \'x y\' \nB="z"\nnonsense')).toEqual({ A: 'x y', B: 'z' })
  const env = { GATEHOUSE_DATA_DIR: '/elsewhere' }
  expect(withSettingsFile(env, '/nonexistent')).toEqual(env)
})
