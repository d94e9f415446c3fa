import { exportEvents, exportMembers } from './transfers/exports.ts'
import { importFile } from './transfers/import-file.ts'
import { fetchJobFile } from './transfers/job-file.ts'
import { streamEvents } from './transfers/stream.ts'
import type { Transfer } from './transfers/transfer.ts'

/** Lists them as the OpenAPI document, the reference and `docs/api.md` do. */
export function listTransfers(): readonly Transfer[] {
  return [streamEvents(), exportEvents(), exportMembers(), fetchJobFile(), importFile()]
}
