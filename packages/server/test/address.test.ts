import { describe, expect, it } from 'vitest'
import { StartError } from '../src/config/start-error.ts'
import { addressOf, placesOf } from '../src/database/postgres/login/address.ts'

const read = (rest: string) => addressOf({ url: `postgres://${rest}` })

describe('the URL of the database', () => {
  it('may escape whatever stands in it, and a plus is a plus', () => {
    expect(
      read('a%40b:p%25%2F%3A+%20%C3%BC@db.example:6543/my%2Fdata?application_name=x+y&work_mem=4+MB'),
    ).toMatchObject({
      user: 'a@b',
      password: 'p%/:+ ü',
      host: 'db.example',
      port: 6543,
      database: 'my/data',
      sslmode: 'prefer',
      settings: { work_mem: '4+MB' },
    })
    expect(read('/data?user=ada&password=a+b&host=/run/it')).toMatchObject({
      ...{ user: 'ada', password: 'a+b', host: '/run/it', port: 5432, sslmode: 'disable' },
    })
    expect(read('[::1]:1/x')).toMatchObject({ host: '::1', port: 1 })
  })

  it.each([
    ['h1,h2/x', ['h1:5432', 'h2:5432']],
    ['ada:p%40@h1:1,[::1]:2,h3/x', ['h1:1', '::1:2', 'h3:5432']],
    ['/x?host=h1,h2&port=1,2', ['h1:1', 'h2:2']],
    ['/x?host=/run/a,/run/b&port=7', ['/run/a:7', '/run/b:7']],
    ['h1:1,h2:2/x?port=3', ['h1:3', 'h2:3']],
  ])('may name several hosts: %s', (rest, places) => {
    const { addresses } = placesOf({ url: `postgres://${rest}` })
    expect(addresses.map(({ host, port }) => `${host}:${port}`)).toEqual(places)
    expect(new Set(addresses.map(({ database }) => database))).toEqual(new Set(['x']))
  })

  it('is named in messages by its setting', () => {
    const url = 'postgres://h/x?sslmode=strict'
    expect(() => placesOf({ url, setting: 'DATABASE_READ_URL' })).toThrow(/^DATABASE_READ_URL has sslmode/)
  })

  it.each([
    [
      'h1,h2,h3/x?port=1,2',
      'DATABASE_URL names 3 hosts and 2 ports: give one port for all of them, or one for each.',
    ],
    ['h1:1,h2:many/x', 'DATABASE_URL has port=many: it must be a whole number from 1 to 65535.'],
    [
      'h/x?target_session_attrs=master',
      'DATABASE_URL has target_session_attrs=master: it must be one of any, read-write, read-only, primary, standby, prefer-standby.',
    ],
    [
      'ada:50%@h/x',
      'DATABASE_URL has a % that is not followed by two digits of a character: write a percent sign as %25.',
    ],
    ['h/x?port=many', 'DATABASE_URL has port=many: it must be a whole number from 1 to 65535.'],
    [
      'h/x?sslmode=strict',
      'DATABASE_URL has sslmode=strict: it must be one of disable, allow, prefer, require, verify-ca, verify-full.',
    ],
    [
      'h/x?sslrootcert=/no/file',
      "DATABASE_URL has sslrootcert=/no/file, which cannot be read: ENOENT: no such file or directory, open '/no/file'.",
    ],
    [
      'h/x?sslmode=require&sslrootcert=system',
      'DATABASE_URL has sslrootcert=system with sslmode=require: anyone can get a certificate from a public authority, so sslmode must be verify-full.',
    ],
    [
      'h/x?channel_binding=require',
      'DATABASE_URL has channel_binding=require: only channel_binding=disable or prefer is supported.',
    ],
  ])('%s is refused in a sentence', (rest, sentence) => {
    expect(() => read(rest)).toThrow(new StartError(sentence))
  })
})
