import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { compiled } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { makeFolder } from './edge.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Starts a controller that cannot reach a service. */
function launch(folder: string) {
  const args = [
    '--url',
    'http://127.0.0.1:1',
    '--hardware-id',
    'hw_LOBBY-1',
    '--secret',
    'ghd_x',
    '--data',
    folder,
  ]
  const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiled }
  const child = spawn(process.execPath, [main, ...args], { env })
  return { child, stdout: text(child.stdout), stderr: text(child.stderr) }
}

async function isAtWork(child: ChildProcess): Promise<boolean> {
  const [chunk] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  return String(chunk).includes('is running')
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

test('a data folder is one controller’s: a second refuses in one sentence, and after kill -9 the next one takes it', async () => {
  using folder = makeFolder()
  const first = launch(folder.path)
  expect(await isAtWork(first.child)).toBe(true)
  const second = launch(folder.path)
  const [[code], stderr, stdout] = await Promise.all([
    once(second.child, 'exit'),
    second.stderr,
    second.stdout,
  ])
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `The data folder ${folder.path} is in use by process ${first.child.pid}; each controller needs its own folder.\n`,
  })
  await end(first.child)
  const third = launch(folder.path)
  expect(await isAtWork(third.child)).toBe(true)
  await end(third.child)
})
