import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { isSoak } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript, since it also runs before anything is installed
import { find, findOrInstall } from '../../../scripts/debian.mjs'
import { commands } from '../src/commands.ts'
import { gatehouse } from './gatehouse.ts'

/** What bash offers after these words. */
async function offered(...words: string[]): Promise<string[]> {
  const { stdout } = await gatehouse(['completion', 'bash'])
  const line = words.map(word => `'${word}'`).join(' ')
  const script = `${stdout}\nCOMP_WORDS=(gatehouse ${line})\nCOMP_CWORD=${words.length}\n_gatehouse\necho "\${COMPREPLY[@]}"`
  return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split(' ')
}

test('bash completes commands, their second words and their options', async () => {
  expect(await offered('memb')).toEqual(['members'])
  expect(await offered('members', 'cr')).toEqual(['create'])
  expect(await offered('members', 'create', 'Ana', '--gr')).toEqual(['--group'])
  expect(await offered('alarms', '')).toEqual(expect.arrayContaining(['ack', '--open']))
  expect(await offered('alarms', 'ack', 'x', '--n')).toEqual(['--note'])
})

test('the script for zsh names every command and option', async () => {
  const { stdout } = await gatehouse(['completion', 'zsh'])
  for (const { name, options } of commands) {
    expect(stdout).toContain(`'${name} '*)`)
    for (const option of Object.keys(options)) expect(stdout).toContain(`'--${option}:`)
  }
  expect((await gatehouse(['completion', 'fish'])).code).toBe(2)
})

/** Nobody needs it for anything else, so only `npm run soak` gets it where it is missing. */
const zsh: string | undefined = await findZsh()

async function findZsh(): Promise<string | undefined> {
  const wanted = { title: 'zsh', names: ['zsh'], packages: ['zsh'], program: 'bin/zsh', check: ['--version'] }
  const root = resolve(import.meta.dirname, '../../..')
  if (!isSoak) return find(root, wanted)
  return findOrInstall(root, wanted).catch(() => undefined)
}

/** What zsh would show after these words: each with what it is about. Files are offered as `files`. */
async function offeredByZsh(...words: string[]): Promise<string[]> {
  const { stdout } = await gatehouse(['completion', 'zsh'])
  const line = words.map(word => `'${word}'`).join(' ')
  // The functions of its completion system, which only an interactive shell has.
  const system = `compdef() { [[ $1 == _gatehouse && $2 == gatehouse ]] }
_describe() { print -rl -- "\${(@P)2}"; (( \${#\${(P)2}} )) }
_files() { print files }`
  const script = `${system}\n${stdout}\nwords=(gatehouse ${line})\nCURRENT=${words.length + 1}\n_gatehouse`
  const { stdout: shown, stderr } = spawnSync(zsh ?? '', ['-f', '-c', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return shown.trim().split('\n')
}

test.skipIf(!zsh)('zsh completes commands, their second words and their options', async () => {
  const wordsOf = async (...words: string[]) =>
    (await offeredByZsh(...words)).map(entry => entry.replace(/:.*/, ''))
  expect(await offeredByZsh('completion', '')).toEqual(['files'])
  expect(await wordsOf('')).toEqual(expect.arrayContaining(['members', 'listen', 'completion']))
  expect(await wordsOf('members', '')).toEqual(expect.arrayContaining(['create', 'list']))
  expect(await wordsOf('alarms', '')).toEqual(expect.arrayContaining(['ack', '--open']))
  expect(await wordsOf('members', 'create', 'Ana', '--gr')).toContain('--group')
  expect(await wordsOf('alarms', 'ack', 'x', '--n')).toContain('--note')
  expect(await wordsOf('alarms', 'ack', 'x', '--n')).not.toContain('--open')
  for (const { name, options } of commands) {
    const shown = await offeredByZsh(...name.split(' '), 'x', '-')
    expect([name, shown.length]).toEqual([name, Object.keys(options).length || 1])
  }
})
