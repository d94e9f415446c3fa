import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { ConfigError } from '../src/config/config-error.ts'
import { defaultQuotas } from '../src/config/quotas.ts'
import { describeSettings, settings } from '../src/config/settings.ts'
import { StartError } from '../src/config/start-error.ts'

const key = randomBytes(32).toString('base64')
const older_key = randomBytes(32).toString('base64')
const with_database = { DATABASE_URL: 'postgres://me:hush@db/gatehouse', GATEHOUSE_SECRET_KEY: key }
let data_dir: string

beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
})
afterEach(() => rmSync(data_dir, { recursive: true }))

describe('the configuration', () => {
  it('has a default for everything, and makes a private key that stays', () => {
    const config = readConfig({ GATEHOUSE_DATA_DIR: data_dir })
    const { secret_keys, ...rest } = config
    expect(rest).toEqual({
      host: '127.0.0.1',
      port: 8080,
      data_dir,
      pool_size: 10,
      pool_queue: 1000,
      pool_wait: 5,
      statement_timeout: 20,
      public_url: 'http://localhost:8080',
      demo: true,
      log_level: 'info',
      rate_limit: 500,
      organization_rate_limit: 1000,
      turn_wait: 600,
      traces_sampled: 1,
      quotas: defaultQuotas,
      whitelabel_default: true,
      webhook_allow: [],
      mail_from: 'Gatehouse <gatehouse@localhost>',
      smtp_tls: 'required',
      signup: 'open',
      second_factor: 'optional',
      hardening: 'standard',
      trusted_proxies: [],
      monitoring_networks: [],
      restore_confirm: 'ask',
      checkpoint_dirs: [join(data_dir, 'checkpoints')],
    })
    expect(secret_keys.map(bytes => bytes.length)).toEqual([32])
    expect(readdirSync(data_dir)).toEqual(['secret-key'])
    expect(statSync(join(data_dir, 'secret-key')).mode & 0o777).toBe(0o600)
    expect(readConfig({ GATEHOUSE_DATA_DIR: data_dir })).toEqual(config)
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('keeps checkpoints beside each other for databases elsewhere', () => {
    const folders = [
      'postgres://me:hush@db/gatehouse',
      'postgres://you:hush@db/gatehouse',
      'postgres://db/other',
    ].map(
      DATABASE_URL =>
        readConfig({ ...with_database, DATABASE_URL, GATEHOUSE_DATA_DIR: data_dir }).checkpoint_dirs[0],
    )
    expect(folders[0]).toBe(folders[1])
    expect(new Set(folders).size).toBe(2)
    const env = { ...with_database, GATEHOUSE_CHECKPOINT_DIR: '/one, /two' }
    expect(readConfig(env).checkpoint_dirs).toEqual(['/one', '/two'])
  })

  it('reads what is set, and takes empty for absent', () => {
    const env = { ...with_database, PORT: '80', HOST: '::2', GATEHOUSE_RATE_LIMIT: '0', GATEHOUSE_DEMO: '' }
    expect(readConfig({ ...env, GATEHOUSE_WHITELABEL_DEFAULT: 'false' })).toMatchObject({
      port: 80,
      database_url: with_database.DATABASE_URL,
      public_url: 'http://[::2]',
      rate_limit: 0,
      demo: false,
      whitelabel_default: false,
    })
  })

  it('asks everybody for a second factor where it is strict', () => {
    expect(readConfig({ ...with_database, GATEHOUSE_HARDENING: 'strict' })).toMatchObject({
      hardening: 'strict',
      second_factor: 'required',
    })
    expect(() => readConfig({ ...with_database, GATEHOUSE_PASSWORD_LIST: '/nonexistent/list' })).toThrow(
      'GATEHOUSE_PASSWORD_LIST',
    )
  })

  it('takes several keys, newest first', () => {
    const config = readConfig({ ...with_database, GATEHOUSE_SECRET_KEY: `${key}, ${older_key}` })
    expect(config.secret_keys.map(bytes => bytes.toString('base64'))).toEqual([key, older_key])
  })

  it.each([
    ['127.0.0.1', 'true'],
    ['127.1.2.3', 'true'],
    ['localhost', 'true'],
    ['::1', 'true'],
    ['0.0.0.0', 'false'],
    ['127.evil.example', 'false'],
  ])('seeds demo data by itself on %s: %s', (HOST, demo) => {
    const env = { HOST, GATEHOUSE_DATA_DIR: data_dir }
    expect(String(readConfig(env).demo)).toBe(demo)
    expect(readConfig({ ...env, GATEHOUSE_DEMO: 'true' }).demo).toBe(true)
    expect(readConfig({ ...env, ...with_database }).demo).toBe(false)
  })

  it('seeds no demo data by itself behind https, where others come', () => {
    const env = { GATEHOUSE_DATA_DIR: data_dir, GATEHOUSE_PUBLIC_URL: 'https://gatehouse.example' }
    expect([readConfig(env).demo, readConfig({ ...env, GATEHOUSE_DEMO: 'true' }).demo]).toEqual([false, true])
  })

  it.each([
    ['smtp://mail.example.com', 'required'],
    ['smtp://127.0.0.1:25', 'optional'],
    ['smtp://[::1]:25', 'optional'],
    ['smtp://127.evil.example', 'required'],
  ])('asks a mail server at %s for TLS: %s', (GATEHOUSE_SMTP_URL, smtp_tls) => {
    const env = { ...with_database, GATEHOUSE_SMTP_URL }
    expect(readConfig(env).smtp_tls).toBe(smtp_tls)
    expect(readConfig({ ...env, GATEHOUSE_SMTP_TLS: 'optional' }).smtp_tls).toBe('optional')
  })

  it.each([
    [{ PORT: '80a' }, 'PORT is "80a": it must be a whole number from 0 to 65535.'],
    [{ PORT: '65536' }, 'PORT is "65536": it must be a whole number from 0 to 65535.'],
    [{ PORT: '-1' }, 'PORT is "-1": it must be a whole number from 0 to 65535.'],
    [{ HOST: 'a b' }, 'HOST is "a b": it must be an IP address or a host name.'],
    [
      { DATABASE_URL: 'mysql://me:hush@db' },
      'DATABASE_URL has a wrong value: it must be a URL that begins with postgres:// or postgresql://.',
    ],
    [
      { GATEHOUSE_PUBLIC_URL: 'https://a.example/path' },
      'GATEHOUSE_PUBLIC_URL is "https://a.example/path": it must be an http or https URL without path, query or user.',
    ],
    [
      { GATEHOUSE_PUBLIC_URL: 'a.example' },
      'GATEHOUSE_PUBLIC_URL is "a.example": it must be an http or https URL without path, query or user.',
    ],
    [
      { GATEHOUSE_SECRET_KEY: 'hush' },
      'GATEHOUSE_SECRET_KEY has a wrong value: it must be 32 bytes in base64, or several such keys separated by commas.',
    ],
    [
      { GATEHOUSE_SECRET_KEY: '' },
      'GATEHOUSE_SECRET_KEY is missing: with DATABASE_URL it must be set to 32 bytes in base64, or several such keys separated by commas.',
    ],
    [{ GATEHOUSE_POOL_SIZE: '1' }, 'GATEHOUSE_POOL_SIZE is "1": it must be a whole number from 2 to 500.'],
    [{ GATEHOUSE_DEMO: 'yes' }, 'GATEHOUSE_DEMO is "yes": it must be true or false.'],
    [
      { GATEHOUSE_LOG_LEVEL: 'loud' },
      'GATEHOUSE_LOG_LEVEL is "loud": it must be one of fatal, error, warn, info, debug, trace, silent.',
    ],
    [
      { GATEHOUSE_RATE_LIMIT: '1.5' },
      'GATEHOUSE_RATE_LIMIT is "1.5": it must be a whole number from 0 to 1000000.',
    ],
    [{ GATEHOUSE_WHITELABEL_DEFAULT: '1' }, 'GATEHOUSE_WHITELABEL_DEFAULT is "1": it must be true or false.'],
  ])('refuses %j', (env, message) => {
    expect(() => readConfig({ ...with_database, ...env })).toThrow(new ConfigError(message))
  })

  it.each([
    'h1,h2/gatehouse',
    'h1:5432,h2:5433/gatehouse',
    'me:hush@h1,h2',
    'localhost/gatehouse?host=h1,h2',
  ])('takes several hosts: %s', place => {
    const DATABASE_URL = `postgres://${place}`
    expect(readConfig({ ...with_database, DATABASE_URL }).database_url).toBe(DATABASE_URL)
  })

  it.each(['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'])('refuses %s without DATABASE_URL', name => {
    const env = { GATEHOUSE_DATA_DIR: data_dir, [name]: 'postgres://db/gatehouse' }
    expect(() => readConfig(env)).toThrow(
      new ConfigError(`${name} is set without DATABASE_URL: set both, or neither.`),
    )
    expect(readdirSync(data_dir)).toEqual([])
  })

  it('has a data folder of its own for each database that is not the embedded one', () => {
    const dirOf = (DATABASE_URL: string) => readConfig({ ...with_database, DATABASE_URL }).data_dir
    const usual = process.getuid?.() === 0 ? '/var/lib/gatehouse' : join(import.meta.dirname, '../../../data')
    const first = dirOf('postgres://me:hush@db/gatehouse')
    expect(first).toMatch(/-[0-9a-f]{12}$/)
    expect(first.slice(0, -13)).toBe(usual)
    expect(dirOf('postgres://you@db/gatehouse')).toBe(first)
    expect(dirOf('postgres://me:hush@db/other')).not.toBe(first)
    expect(dirOf('postgres://a:1,b:2/x')).toBe(dirOf('postgres://me:hush@b:2,a:1/x'))
    expect(readConfig({ ...with_database, GATEHOUSE_DATA_DIR: data_dir }).data_dir).toBe(data_dir)
  })

  it('does not make a new key beside an old database', () => {
    mkdirSync(join(data_dir, 'database'))
    expect(() => readConfig({ GATEHOUSE_DATA_DIR: data_dir })).toThrow(StartError)
    expect(readdirSync(data_dir)).toEqual(['database'])
  })

  it('is described in one table', () => {
    const names = Object.values(settings).map(({ name }) => name)
    const lines = describeSettings().trim().split('\n').slice(2)
    expect(lines.map(line => /^\| `(\w+)` \| .+ \| .+ \|$/.exec(line)?.[1])).toEqual(names)
  })
})
