import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiled } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import type { Installation } from './installation.ts'

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/** What a file holds, and what opens it. */
export interface Exported {
  readonly organization_id: string
  readonly file: string
  readonly key: string
  readonly rows: Readonly<Record<string, number>>
}

interface Run {
  readonly was_killed: boolean
  /** Milliseconds from when it said what it will do until it ended. */
  readonly milliseconds: number
}

/** Runs a command and kills it so many milliseconds after it said what it will do. */
async function runAndKill(
  { env }: Installation,
  args: readonly string[],
  input: string,
  after: number,
): Promise<Run> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...env, NODE_COMPILE_CACHE: compiled },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<NodeJS.Signals | null>(resolve =>
    child.once('exit', (_code, signal) => resolve(signal)),
  )
  child.stdin.end(input)
  let [timer, began] = [undefined as NodeJS.Timeout | undefined, 0]
  child.stdout.once('data', () => {
    began = performance.now()
    timer = setTimeout(() => child.kill('SIGKILL'), after)
    child.stdout.resume()
  })
  const signal = await ended
  clearTimeout(timer)
  return { was_killed: signal === 'SIGKILL', milliseconds: performance.now() - began }
}

const never = 3_600_000

/** Kills an export. Either there is no file, or it was written just before. */
export async function killExport(
  here: Installation,
  { organization_id, file }: Exported,
  after = never,
): Promise<Run> {
  const other = `${file}.again`
  const args = ['organization', 'export', organization_id, '--to', other]
  const run = await runAndKill(here, args, '', after)
  expect(run.was_killed || existsSync(other)).toBe(true)
  for (const name of await readdir(dirname(file)))
    if (name.startsWith(basename(other))) await rm(`${dirname(file)}/${name}`)
  return run
}

/** Kills an import. The organization is there with all of its rows, or not at all. */
export async function killImport(there: Installation, exported: Exported, after = never) {
  const args = ['organization', 'import', exported.file]
  const run = await runAndKill(there, args, exported.key, after)
  const is_there = await isWhole(there, exported)
  expect(run.was_killed || is_there).toBe(true)
  return { ...run, is_there }
}

/** Returns whether the organization is there, and then expects all of it. */
export async function isWhole(
  { w }: Installation,
  { organization_id: id, rows }: Exported,
): Promise<boolean> {
  const { db } = w.server.context
  if ((await db.query('SELECT 1 FROM organizations WHERE id = $1', [id])).length === 0) return false
  expect(await db.query('SELECT 1 FROM organization_imports WHERE organization_id = $1', [id])).toEqual([])
  for (const [table, count] of Object.entries(rows)) {
    const key = table === 'organizations' ? 'id' : 'organization_id'
    const [row] = await db.query<{ count: string }>(
      `SELECT count(*) AS count FROM ${table} WHERE ${key} = $1`,
      [id],
    )
    // The import is an event, and every event is linked.
    const least = table === 'audit_links' ? (rows.events ?? 0) : count
    expect([table, Number(row?.count) - least]).toEqual([table, expect.toBeOneOf([0, 1])])
  }
  return true
}
