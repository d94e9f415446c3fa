import { createHash } from 'node:crypto'
import { deviceLimits, type PassKey } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { Vault } from '../../vault/vault.ts'
import { type DevicePlaces, rowsByKind } from '../policy/device-places.ts'
import { type Puts, partFrame, splitPuts } from '../policy/frames.ts'
import { findNextMembersOf, readMembers, sliceMember } from '../policy/members.ts'
import type { LiveSlice } from './live-slice.ts'
import type { SnapshotTurn } from './snapshot-turns.ts'

interface SnapshotSource {
  readonly db: Database
  readonly vault: Vault
  readonly pass_keys: readonly PassKey[]
  readonly turn: SnapshotTurn
}

/** A snapshot whose parts were sent, except the last. */
export interface SentParts {
  readonly version: number
  /** The places that it is of. */
  readonly places: DevicePlaces
  /** Returns the frames that complete it and its hash. `emergencies`: rows that are newer than those in part 1. */
  end(emergencies: readonly string[]): { frames: readonly string[]; hash: string }
}

/**
 * Sends a slice in parts. The caller completes it. Returns undefined if the device does not read it. Members are
 * read part by part without a long transaction. Some may be newer than the snapshot stored with the version, none
 * older. Changes meanwhile are sent again afterwards.
 */
export async function sendSnapshot(
  source: SnapshotSource,
  slice: LiveSlice,
  version: number,
): Promise<SentParts | undefined> {
  const { device_id, link, places } = slice
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
  const next = (puts: Puts) => hash.add(partFrame({ device_id, version, part: ++part }, puts))
  for await (const puts of readParts(source, slice, places)) if (!(await send(next(puts)))) return undefined
  const end: SentParts['end'] = emergencies => {
    const late = emergencies.length > 0 ? splitPuts(new Map([['emergencies', emergencies]])).map(next) : []
    const last = hash.add(JSON.stringify({ type: 'snapshot_end', device_id, version, parts: part }))
    return { frames: [...late, last], hash: hash.digest() }
  }
  return { version, places, end }
}

async function* readParts(
  source: SnapshotSource,
  slice: LiveSlice,
  places: DevicePlaces,
): AsyncGenerator<Puts> {
  yield* splitPuts(rowsByKind(places))
  let after = ''
  for (;;) {
    const { rows, last } = await source.turn.read(() => readPart(source, { ...slice, places }, after))
    if (rows.length > 0) yield* splitPuts(new Map([['members', rows]]))
    if (last === undefined) return
    after = last
  }
}

/** Returns the members after `after`, and where the next part starts. */
async function readPart(
  { db, vault }: SnapshotSource,
  { organization_id, places, key }: Pick<LiveSlice, 'organization_id' | 'places' | 'key'>,
  after: string,
) {
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
