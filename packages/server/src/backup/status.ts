import type { BackupKind, Manifest } from './archive/manifest.ts'
import { recoveryKeyId } from './archive/recovery-key.ts'
import { listBackups, listPieces } from './folder/backup-folder.ts'
import { findGaps, findRanges, type Gap, type Range } from './folder/coverage.ts'
import { type Drill, readNote, readState } from './folder/own-files.ts'
import type { Piece } from './folder/pieces.ts'
import { readPublicKey } from './folder/public-key.ts'
import type { BackupConfig } from './make-backup.ts'
import { listVerified } from './verify/marks.ts'

/** A backup, a gap between the times that can be restored, or a damaged manifest. */
export type ListEntry =
  | {
      readonly id: string
      readonly kind: BackupKind
      readonly began_at: string
      readonly finished_at: string
      readonly bytes: number
      readonly content_bytes: number
      readonly version: string
      readonly recovery_key: string | null
      readonly is_verified: boolean
      /** The times that it restores to. */
      readonly restores_from: string
      readonly restores_to: string
    }
  | ({ readonly id: string; readonly kind: 'gap' } & Gap)
  | { readonly id: string; readonly kind: 'damaged'; readonly path: string }

/** Lists what a folder holds, oldest first. */
export async function listEntries(folder: string): Promise<ListEntry[]> {
  const { backups, damaged } = await listBackups(folder)
  const ranges = findRanges(backups, await listPieces(folder))
  const verified = await listVerified(folder)
  const shown: [string, ListEntry][] = []
  for (const backup of backups)
    shown.push([backup.finished_at, describe(backup, ranges, verified.has(backup.id))])
  for (const gap of findGaps(ranges))
    shown.push([gap.from, { id: `gap-${compact(gap.from)}`, kind: 'gap', ...gap }])
  for (const path of damaged) shown.push(['', { id: path, kind: 'damaged', path }])
  return shown.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
}

function describe(backup: Manifest, ranges: readonly Range[], is_verified: boolean): ListEntry {
  const { id, kind, began_at, finished_at, version, recovery_key, archive } = backup
  const range = ranges.find(({ base }) => base.id === id)
  const at = kind === 'logical' ? began_at : finished_at
  return {
    ...{ id, kind, began_at, finished_at, bytes: archive.bytes, content_bytes: archive.content_bytes },
    ...{ version, recovery_key, is_verified },
    restores_from: range?.from ?? at,
    restores_to: range?.to ?? at,
  }
}

function compact(time: string): string {
  return time.replace(/[-:.]/g, '')
}

export interface BackupStatus {
  readonly folder: string
  /** The id of the recovery key; null if there is none. */
  readonly recovery_key: string | null
  readonly newest: {
    readonly id: string
    readonly kind: BackupKind
    readonly finished_at: string
    readonly age_seconds: number
  } | null
  /** Until when everything is archived; null if no log is. */
  readonly archived_until: string | null
  readonly wal_lag_seconds: number | null
  readonly drill: Drill | null
  readonly gaps: readonly Gap[]
  readonly broken: { readonly at: string; readonly reason: string } | null
}

export async function readStatus(config: BackupConfig, folder: string): Promise<BackupStatus> {
  const now = Date.now()
  const { backups } = await listBackups(folder)
  const pieces = await listPieces(folder)
  const newest = backups.at(-1)
  const until = archivedUntil(pieces, (await readNote(config.data_dir, 'line'))?.id)
  const state = await readState(config.data_dir)
  const key = readPublicKey(config.data_dir)
  const age = (time: string) => Math.max(0, Math.round((now - Date.parse(time)) / 1000))
  return {
    folder,
    recovery_key: key ? recoveryKeyId(key.public_key) : null,
    newest: newest
      ? {
          id: newest.id,
          kind: newest.kind,
          finished_at: newest.finished_at,
          age_seconds: age(newest.finished_at),
        }
      : null,
    archived_until: until,
    wal_lag_seconds: until === null ? null : age(until),
    drill: state.drill ?? null,
    gaps: findGaps(findRanges(backups, pieces)),
    broken: state.broken ?? null,
  }
}

function archivedUntil(
  pieces: ReadonlyMap<string, readonly Piece[]>,
  line: string | undefined,
): string | null {
  return pieces.get(line ?? '')?.at(-1)?.until ?? null
}
