import { describe, expect, it } from 'vitest'
import { StartError } from '../src/config/start-error.ts'
import { addressOf } from '../src/database/postgres/login/address.ts'

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
