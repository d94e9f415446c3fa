import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { compiled } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { readOptions } from '../src/options.ts'
import { makeFolder } from './edge.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const usual = ['--url', 'http://localhost:8080', '--hardware-id', 'hw_A1B2']

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const inherited = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiled }
  const child = spawn(process.execPath, [main, ...args], { env: { ...inherited, ...env } })
  const closed = new Promise<number | null>(resolve => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, stdout, stderr }
}

test('the secret comes from a file, the environment or the command line', () => {
  using folder = makeFolder()
  const file = `${folder.path}/secret`
  writeFileSync(file, 'ghd_of-the-file\n')
  expect(readOptions([...usual, '--secret-file', file], {})).toMatchObject({ secret: 'ghd_of-the-file' })
  expect(readOptions(usual, { GATEHOUSE_EDGE_SECRET: 'ghd_env' })).toMatchObject({ secret: 'ghd_env' })
  expect(readOptions([...usual, '--secret', 'ghd_line'], {})).toMatchObject({
    secret: 'ghd_line',
    devices: [],
  })
})

test.each([
  [[], '--url is missing; see --help.'],
  [
    ['--url', 'ftp://x', '--hardware-id', 'hw_A1B2'],
    "--url must be an address that starts with https:// or http://, not 'ftp://x'.",
  ],
  [
    ['--url', 'http://x', '--hardware-id', 'A1'],
    "--hardware-id must be hw_ followed by 4 to 64 letters, digits or -, not 'A1'.",
  ],
  [usual, 'The secret is missing: give --secret-file, GATEHOUSE_EDGE_SECRET or --secret.'],
  [
    [...usual, '--secret', 'x', '--config', '/nowhere.json'],
    'The configuration file, /nowhere.json, cannot be read: ENOENT.',
  ],
])('%j is refused in one sentence', async (args, sentence) => {
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` })
})

test.each([
  [{ mqt: {} }, 'mqt is not known; known here: mqtt, devices.'],
  [{ mqtt: {} }, 'mqtt.url must be a string.'],
  [
    { mqtt: { url: 'mqtt://x', inputs: [{ type: 'nose', topic: 'a' }] } },
    'mqtt.inputs.0.type must be one of keys, card, bluetooth, mobile_nfc.',
  ],
  [
    { mqtt: { url: 'mqtt://x', gadgets: { gad_a: { actions: { open: { topic: 'a' } } } } } },
    'mqtt.gadgets.gad_a.actions.open.payload must be a string, a number, true or false.',
  ],
])('the config %j is refused by name', (config, sentence) => {
  using folder = makeFolder()
  const file = `${folder.path}/edge.json`
  writeFileSync(file, JSON.stringify(config))
  expect(() => readOptions([...usual, '--secret', 'x', '--config', file], {})).toThrow(sentence)
})
