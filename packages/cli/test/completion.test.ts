import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
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
