import { createHmac } from 'node:crypto'
import type { AuditKey } from '../../audit/keys.ts'
import { hashText, readTrusted, signDocument } from '../../audit/signing.ts'
import type { How, Revocation } from './revocations.ts'

/** How, whose (as a keyed hash), when. */
export type Entry = readonly [how: How, hash: string, at: string]

/** A part of the ledger, signed. It names nobody: without the service key, its hashes cannot be matched. */
export interface Block {
  readonly written_at: string
  /** The positions of the feed between which it has read everything. */
  readonly after: string
  readonly through: string
  /** Hash of the block before it in the database that wrote it. */
  readonly previous: string | null
  /** The key of the hashes. */
  readonly key: string
  readonly revoked: readonly Entry[]
  readonly erased: readonly string[]
}

export interface KeptBlock {
  readonly hash: string
  readonly document: string
  readonly block: Block
}

export interface Erasure {
  readonly organization_id: string
  /** Or what else of the member is gone, see `nameErased`. */
  readonly member_id: string
}

interface Told extends Pick<Block, 'written_at' | 'after' | 'through' | 'previous'> {
  readonly revocations: readonly Revocation[]
  readonly erasures: readonly Erasure[]
}

export function makeBlock(key: AuditKey, { revocations, erasures, ...rest }: Told): KeptBlock {
  const block: Block = {
    ...rest,
    key: key.id,
    revoked: revocations.map(revocation => entryOf(key, revocation)),
    erased: erasures.map(({ organization_id, member_id }) => ledgerHash(key, organization_id, member_id)),
  }
  const document = signDocument(key.signing, block)
  return { hash: hashText(document), document, block }
}

export function entryOf(
  key: Pick<AuditKey, 'link'>,
  { organization_id, object_id, how, at }: Revocation,
): Entry {
  return [how, ledgerHash(key, organization_id, nameIn(how, object_id)), at]
}

/** Returns undefined if none of the keys signed it. */
export function readBlock(document: string, publicKeys: readonly string[]): KeptBlock | undefined {
  const block = readTrusted<Block>(document, publicKeys)
  return block && { hash: hashText(document), document, block }
}

/** Returns the entries of a block that the database stored itself, so that its signature need not be checked. */
export function readEntries(document: string): readonly Entry[] {
  return (JSON.parse(document.slice(0, document.indexOf('\n'))) as Block).revoked
}

/** The secret of a device is something other than the device, and so is the mode of a gadget. */
export function nameIn(how: How, id: string): string {
  return how === 'secret' || how === 'mode' ? `${id} ${how}` : id
}

/** What of a member is gone besides, as names of their own: older versions do not look for them. */
export function nameErased(what: 'cards' | 'events', memberId: string): string {
  return `${memberId} ${what}`
}

/** 128 bits. The key never leaves the service, so ids, which can be guessed, cannot be found by trying. */
export function ledgerHash({ link }: Pick<AuditKey, 'link'>, organizationId: string, name: string): string {
  const code = createHmac('sha256', link).update(`ledger ${organizationId} ${name}`).digest()
  return code.subarray(0, 16).toString('base64url')
}
