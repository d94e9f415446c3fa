import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../src/commands.ts'
import { describeCommand } from '../src/help.ts'
import { gatehouse, gatehouseProcess } from './gatehouse.ts'

const nowhere = { GATEHOUSE_DATA_DIR: join(tmpdir(), 'gatehouse-that-is-not-there') }

test('the help lists every command, and each has its own', async () => {
  const all = await gatehouseProcess(['--help'])
  expect(all).toMatchObject({ code: 0, stderr: '' })
  for (const command of commands) {
    expect(all.stdout).toContain(`gatehouse ${command.name}`)
    for (const name of Object.keys(command.options)) expect(describeCommand(command)).toContain(`--${name}`)
  }
  for (const args of [
    ['cards', 'import', '--help'],
    ['help', 'cards', 'import'],
  ]) {
    const one = await gatehouse(args)
    expect(one).toMatchObject({ code: 0, stderr: '' })
    expect(one.stdout).toContain('gatehouse cards import FILE')
  }
})

test.each([
  [
    ['users', '--help'],
    ['users list', 'users sign-out', 'users reset-factors'],
  ],
  [['cards', '-h'], ['cards import FILE']],
  [['help', 'keys'], ['keys rotate']],
  [['users', 'sign-out', 'ada@example.com', '--help'], ['gatehouse users sign-out [EMAIL]']],
])('%j answers what there is', async (args, lines) => {
  const { code, stdout } = await gatehouse(args)
  expect(code).toBe(0)
  for (const line of lines) expect(stdout).toContain(line)
})

test.each(commands.map(({ name }) => name))('gatehouse %s --help answers', async name => {
  const { code, stdout } = await gatehouse([...name.split(' '), '--help'])
  expect([code, stdout]).toEqual([0, expect.stringContaining(`gatehouse ${name}`)])
})

test('the version is printed', async () => {
  expect((await gatehouseProcess(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test.each([
  [['unlock'], 'There is no command "unlock"; gatehouse --help lists them all.\n'],
  [
    ['users'],
    'gatehouse users is not a complete command; gatehouse users --help lists the commands that start with it.\n',
  ],
  [['cards', 'export'], 'There is no command "cards" "export"; did you mean gatehouse cards import?\n'],
  [
    ['token', '--scop', 'x'],
    "gatehouse token was called incorrectly: Unknown option '--scop'; gatehouse token --help explains it.\n",
  ],
  [
    ['feature', 'x'],
    'gatehouse feature takes ORGANIZATION whitelabel on|off, not 1 arguments; gatehouse feature --help explains it.\n',
  ],
  [
    ['feature', 'x', 'y', 'on'],
    'gatehouse feature knows the feature whitelabel, not "y"; gatehouse feature --help explains it.\n',
  ],
  [
    ['seed', '--members', 'many'],
    'gatehouse seed takes a whole number as --members, not "many"; gatehouse seed --help explains it.\n',
  ],
])('%j is a wrong call', async (args, stderr) => {
  expect(await gatehouse(args, nowhere)).toEqual({ code: 2, stdout: '', stderr })
})

test('as a process it ends with the same code and sentence', async () => {
  const call = [['unlock'], nowhere] as const
  expect(await gatehouseProcess(...call)).toEqual({ ...(await gatehouse(...call)), code: 2 })
})

test('an instance that does not run is told in one sentence', async () => {
  const calls = [['token'], ['organizations'], ['seed'], ['migrate'], ['keys', 'rotate']]
  for (const { code, stdout, stderr } of await Promise.all(calls.map(args => gatehouse(args, nowhere)))) {
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^(No instance is running|There is no database) in .*gatehouse-that-is-not-there.*\.\n$/,
    )
  }
})

test('a database that cannot be reached is told in one sentence', async () => {
  const { code, stderr } = await gatehouse(['token'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The database of DATABASE_URL cannot be used: .*\.\n$/),
  ])
})
