import { createHash } from 'node:crypto'
import { deviceLimits, type PassKey } from '@gatehouse/api'
import type { Database } from '../../store/db.ts'
import type { Vault } from '../../vault.ts'
import { rowsByKind } from './device-places.ts'
import { type Puts, partFrame, splitPuts } from './frames.ts'
import type { LiveSlice } from './live-slice.ts'
import { findMembersOf, readMembers, sliceMember } from './members.ts'

export interface SnapshotSource {
  readonly db: Database
  readonly vault: Vault
  readonly pass_keys: readonly PassKey[]
}

/**
 * Sends a whole slice in parts and answers its hash with the last frame, which is yet to be sent; undefined when the device
 * does not take it. Members are read part by part, outside of any long transaction: some may be newer than
 * the snapshot the version is stored with, none older, and what changes meanwhile is sent again afterwards.
 */
export async function sendSnapshot(
  source: SnapshotSource,
  slice: LiveSlice,
  version: number,
): Promise<{ hash: string; last_frame: string } | undefined> {
  const { device_id, link } = slice
  const hash = new FrameHash()
  const begin = JSON.stringify({
    type: 'snapshot_begin',
    device_id,
    version,
    key_generation: slice.generation,
    key: slice.key.toString('base64url'),
    pass_keys: source.pass_keys,
  })
  if (!(await link.sendAndWait(hash.add(begin)))) return undefined
  let part = 0
  for await (const puts of readParts(source, slice))
    if (!(await link.sendAndWait(hash.add(partFrame({ device_id, version, part: ++part }, puts)))))
      return undefined
  const last_frame = JSON.stringify({ type: 'snapshot_end', device_id, version, parts: part })
  hash.add(last_frame)
  return { hash: hash.digest(), last_frame }
}

async function* readParts(source: SnapshotSource, slice: LiveSlice): AsyncGenerator<Puts> {
  yield* splitPuts(rowsByKind(slice.places))
  const ids = await findMembersOf(source.db, slice.organization_id, [...slice.places.groups])
  for (let start = 0; start < ids.length; start += deviceLimits.members) {
    const chunk = ids.slice(start, start + deviceLimits.members)
    const members = await readMembers(source.db, source.vault, slice.organization_id, chunk)
    const rows = members.flatMap(member => {
      const row = sliceMember(member, slice.places, slice.key)
      return row ? [JSON.stringify(row)] : []
    })
    if (rows.length > 0) yield* splitPuts(new Map([['members', rows]]))
  }
}

/** Frames are many and large: they are hashed as they go. */
class FrameHash {
  #hash = createHash('sha256')

  add(frame: string): string {
    this.#hash.update(frame)
    return frame
  }

  digest(): string {
    return this.#hash.digest('hex')
  }
}
