import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isSoak } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { openSqliteStorage } from '../src/index.ts'
import { makeFolder } from './edge.ts'

const program = fileURLToPath(new URL('./writer-process.ts', import.meta.url))

/** Kills the writer after a while. Returns the last sequence that it reported as on disk. */
async function writeAndKill(path: string, milliseconds: number): Promise<number> {
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    said += chunk
  })
  const gone = new Promise(resolve => child.once('close', resolve))
  while (said === '') await sleep(5)
  await sleep(milliseconds)
  child.kill('SIGKILL')
  await gone
  const whole = said.slice(0, said.lastIndexOf('\n')).split('\n')
  return Number(whole.at(-1))
}

test('what was said to be on the disk is there after a kill, without gaps, and numbers go on', async () => {
  using folder = makeFolder()
  const path = `${folder.path}/edge.sqlite`
  let before = 0
  for (const milliseconds of isSoak ? [0, 3, 17, 50, 120, 7] : [0, 17, 50]) {
    const said = await writeAndKill(path, milliseconds)
    expect(said).toBeGreaterThan(before)
    const storage = openSqliteStorage(path, 'unused')
    const { last_sequence, journal_id, commands } = storage.load()
    expect(journal_id).toBe('journal-of-power-loss')
    expect(last_sequence).toBeGreaterThanOrEqual(said)
    const events = await storage.readJournal(before, 1_000_000)
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: last_sequence - before }, (_, index) => before + index + 1),
    )
    // The event and the change written with it are atomic: both or neither.
    expect(commands.length).toBe(last_sequence)
    await storage.close()
    before = last_sequence
  }
})
