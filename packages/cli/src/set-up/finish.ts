import { spawnSync } from 'node:child_process'
import { chownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '@gatehouse-access/server'
import { askService } from '../ask-service.ts'
import { CommandError, type Input } from '../command.ts'
import { findFirstLink } from '../first-link.ts'

const patience = 90_000

/** Waits until the service answers; with ACME, that takes its first certificate. */
export async function waitForService(config: Config): Promise<void> {
  const end = performance.now() + patience
  for (;;) {
    const answer = await askService(config, '/readyz').catch(() => undefined)
    if (answer?.status === 200) return
    if (performance.now() > end)
      throw new CommandError(
        'The service did not become ready within 90 seconds: journalctl -u gatehouse says why, and gatehouse doctor what to do.',
      )
    await sleep(500)
  }
}

/** Runs another command of this program with the new settings. */
function runOwn(settings: Readonly<Record<string, string>>, ...args: readonly string[]): void {
  spawnSync(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Makes the recovery key, which is shown once, and prints the link for the first owner. */
export async function finish(
  { print, env }: Input,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  if (settings.GATEHOUSE_BACKUP_DIR) {
    print('\nThe recovery key, which opens the backups:')
    runOwn(settings, 'backup', 'key')
    giveFiles(settings.GATEHOUSE_DATA_DIR ?? '')
  } else print('\nNo backups are made: set GATEHOUSE_BACKUP_DIR, or run gatehouse set-up --backup FOLDER.')
  const link = await findFirstLink({ env: { ...env, ...settings } })
  if (link) print(`\nThe first owner signs up here, once, within a week:\n${link}`)
}

/** What root has written there belongs to the owner of the folder, the account of the service. */
function giveFiles(folder: string): void {
  const { uid, gid } = statSync(folder)
  for (const name of readdirSync(folder)) {
    const found = lstatSync(join(folder, name))
    if (found.uid === 0 && found.isFile()) chownSync(join(folder, name), uid, gid)
  }
}
