import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { codeOf } from '../flow/failures.ts'
import { StartError } from './start-error.ts'

/** Creates the data folder, or throws an error that says in one sentence why it cannot be used. */
export function makeDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.W_OK | constants.X_OK)
    if (process.getuid?.() === 0) letOthersPass(path)
  } catch (cause) {
    throw new StartError(
      `The data folder ${path} is not a writable folder (${codeOf(cause)}): fix it, or choose another with GATEHOUSE_DATA_DIR.`,
      { cause },
    )
  }
}

// When the service starts as root, PostgreSQL runs as another user and must reach its folders below this one.
// Private files and folders there are 0600 or 0700 themselves.
function letOthersPass(path: string): void {
  const { mode } = statSync(path)
  if ((mode & 0o011) !== 0o011) chmodSync(path, (mode & 0o777) | 0o011)
}
