import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder that this program is in: a checkout, or an installed package that is laid out like one. */
export const program_dir = resolve(import.meta.dirname, '../../../..')

const isCheckout = existsSync(join(program_dir, 'packages/server/src/main.ts'))

/** How the operator calls the command. */
export const command_name = isCheckout ? 'npx gatehouse' : 'gatehouse'

/** An upgrade replaces the folder of an installed package, so nothing is kept there. */
export function usualDataDir(): string {
  if (process.getuid?.() === 0) return '/var/lib/gatehouse'
  if (isCheckout) return join(program_dir, 'data')
  return join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'gatehouse')
}
