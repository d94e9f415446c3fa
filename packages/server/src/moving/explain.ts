import { BackupError } from '../backup/archive/backup-error.ts'
import { DamagedError } from '../backup/archive/damaged-error.ts'
import { naming } from '../backup/archive/read-archive.ts'
import { ConnectionError } from '../database/postgres/wire/errors.ts'
import { codeOf, messageOf } from '../flow/failures.ts'

const isTaken = '23505'
/** Of PostgreSQL: the disk is full, or there is too little of something else. */
const noRoom = /^53/

/** Says in one sentence what an operator can mend. Anything else stays as it is. */
export function explainImport(error: unknown, path: string): unknown {
  if (error instanceof DamagedError) return naming(path, error)
  if (error instanceof ConnectionError)
    return told(error, `The database is gone (${error.message}): run the import again when it is back.`)
  const code = String(codeOf(error))
  if (noRoom.test(code))
    return told(error, `Nothing was imported, because the database has no room: ${messageOf(error)}.`)
  return code === isTaken ? told(error, explainTaken(error)) : error
}

/** What has an id or a secret of its own in the whole installation may be here in another organization. */
function explainTaken(error: unknown): string {
  const what = error instanceof Error && 'constraint_name' in error ? error.constraint_name : 'a unique index'
  return `Nothing was imported, because something in the file is here already, in another organization (${what}).`
}

function told(cause: unknown, message: string): BackupError {
  return new BackupError(message, { cause })
}
