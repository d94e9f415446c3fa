import { createHash } from 'node:crypto'
import { deviceLimits, type PassKey } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { Vault } from '../../vault/vault.ts'
import { rowsByKind } from './device-places.ts'
import { type Puts, partFrame, splitPuts } from './frames.ts'
import type { LiveSlice } from './live-slice.ts'
import { findNextMembersOf, readMembers, sliceMember } from './members.ts'
import type { SnapshotTurn } from './snapshot-turns.ts'

interface SnapshotSource {
  readonly db: Database
  readonly vault: Vault
  readonly pass_keys: readonly PassKey[]
  readonly turn: SnapshotTurn
}

/**
 * Sends a slice in parts and returns its hash and the last frame, which the caller sends. Returns undefined
 * if the device does not read it. Members are read part by part without a long transaction. Some may be newer
 * than the snapshot stored with the version, none older. Changes meanwhile are sent again afterwards.
 */
export async function sendSnapshot(
  source: SnapshotSource,
  slice: LiveSlice,
  version: number,
): Promise<{ hash: string; last_frame: string } | undefined> {
  const { device_id, link } = slice
  const send = (frame: string) => source.turn.taken(link.sendAndWait(frame))
  const hash = new FrameHash()
  const begin = JSON.stringify({
    type: 'snapshot_begin',
    device_id,
    version,
    key_generation: slice.generation,
    key: slice.key.toString('base64url'),
    pass_keys: source.pass_keys,
  })
  if (!(await send(hash.add(begin)))) return undefined
  let part = 0
  for await (const puts of readParts(source, slice))
    if (!(await send(hash.add(partFrame({ device_id, version, part: ++part }, puts))))) return undefined
  const last_frame = JSON.stringify({ type: 'snapshot_end', device_id, version, parts: part })
  hash.add(last_frame)
  return { hash: hash.digest(), last_frame }
}

async function* readParts(source: SnapshotSource, slice: LiveSlice): AsyncGenerator<Puts> {
  yield* splitPuts(rowsByKind(slice.places))
  let after = ''
  for (;;) {
    const { rows, last } = await source.turn.read(() => readPart(source, slice, after))
    if (rows.length > 0) yield* splitPuts(new Map([['members', rows]]))
    if (last === undefined) return
    after = last
  }
}

/** Returns the members after `after`, and where the next part starts. */
async function readPart({ db, vault }: SnapshotSource, slice: LiveSlice, after: string) {
  const { organization_id, places, key } = slice
  const ids = await findNextMembersOf(db, organization_id, [...places.groups], after, deviceLimits.members)
  const members = ids.length > 0 ? await readMembers(db, vault, organization_id, ids) : []
  const rows = members.flatMap(member => {
    const row = sliceMember(member, places, key)
    return row ? [JSON.stringify(row)] : []
  })
  return { rows, last: ids.length === deviceLimits.members ? ids.at(-1) : undefined }
}

/** Hashes incrementally, because frames are many and large. */
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
