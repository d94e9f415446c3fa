import { type AuditKeys, publicKeys } from '../audit/keys.ts'
import { StartError } from '../config/start-error.ts'
import type { Database } from '../database/db.ts'
import { present } from '../flow/present.ts'
import { type KeptBlock, ledgerHash, nameErased, nameIn } from './ledger/block.ts'
import { readLedger } from './ledger/ledger-file.ts'
import { type How, readRevocations } from './ledger/revocations.ts'

/** Something that was revoked after the backup. */
export interface Revoked {
  readonly how: Exclude<How, 'restored'>
  readonly at: string
}

/** What a member was erased with. */
export interface Erased {
  readonly includes_cards: boolean
  readonly deletes: boolean
}

/** What a ledger says that a restored database does not know. */
export interface OpenedLedger {
  readonly from: string
  readonly until: string
  readonly blocks: readonly KeptBlock[]
  /** Whether it names anything that may have to be suspended. */
  readonly has_revocations: boolean
  readonly has_erasures: boolean
  revoked(organizationId: string, name: string): Revoked | undefined
  erased(organizationId: string, memberId: string): Erased | undefined
}

/** There is no ledger where it was looked for. */
export class LedgerMissing extends StartError {
  override name = 'LedgerMissing'
}

export async function openLedger(db: Database, keys: AuditKeys, folder: string): Promise<OpenedLedger> {
  const blocks = await readLedger(folder, publicKeys(keys))
  if (!blocks?.[0])
    throw new LedgerMissing(
      `There is no ledger in ${folder}, so nobody can tell what was revoked since the backup: name the folder of checkpoints that has ledger.txt, or go on without it (--without-ledger).`,
    )
  const known = await findKnown(db)
  const news = blocks.filter(({ hash }) => !known.has(hash))
  const seen = await readSeen(db, keys)
  const entries = news
    .flatMap(({ block }) => block.revoked)
    .filter(([, hash, at]) => !seen.has(`${hash} ${at}`))
  const revoked = foldEntries(entries.toSorted(([, , a], [, , b]) => (a < b ? -1 : a > b ? 1 : 0)))
  const erased = new Set(news.flatMap(({ block }) => block.erased))
  const used = keys.filter(({ id }) => blocks.some(({ block }) => block.key === id))
  const hashes = (organizationId: string, name: string) =>
    used.map(key => ledgerHash(key, organizationId, name))
  return {
    from: blocks[0].block.written_at,
    until: present(blocks.at(-1), 'a block').block.written_at,
    blocks,
    has_revocations: revoked.size > 0,
    has_erasures: erased.size > 0,
    revoked: (organizationId, name) => firstOf(hashes(organizationId, name).map(hash => revoked.get(hash))),
    erased: (organizationId, id) => {
      const has = (name: string) => hashes(organizationId, name).some(hash => erased.has(hash))
      return has(id)
        ? { includes_cards: has(nameErased('cards', id)), deletes: has(nameErased('events', id)) }
        : undefined
    },
  }
}

/** Blocks that the database itself wrote: it has what they tell. */
async function findKnown(db: Database): Promise<Set<string>> {
  const rows = await db.query<{ hash: string }>('SELECT hash FROM ledger_blocks WHERE NOT is_foreign')
  return new Set(rows.map(({ hash }) => hash))
}

const page = 5000

/** Events of the database that are in none of its own blocks yet, but may be in a later one of the ledger. */
async function readSeen(db: Database, keys: AuditKeys): Promise<Set<string>> {
  const seen = new Set<string>()
  const [progress] = await db.query<{ position: string }>('SELECT position FROM ledger_progress')
  for (let after = progress?.position; after !== undefined; ) {
    const { revocations, last } = await readRevocations(db, after, undefined, page)
    for (const { organization_id, object_id, how, at } of revocations)
      for (const key of keys) seen.add(`${ledgerHash(key, organization_id, nameIn(how, object_id))} ${at}`)
    after = last
  }
  return seen
}

type Entry = KeptBlock['block']['revoked'][number]

/** A deletion that was undone counts for nothing. A change stays one, whatever followed. */
function foldEntries(entries: readonly Entry[]): Map<string, Revoked> {
  const changed = new Map<string, Revoked>()
  const deleted = new Map<string, Revoked>()
  for (const [how, hash, at] of entries)
    if (how === 'deleted') deleted.set(hash, { how, at })
    else if (how === 'restored') deleted.delete(hash)
    else changed.set(hash, { how, at })
  return new Map([...changed, ...deleted])
}

function firstOf(found: readonly (Revoked | undefined)[]): Revoked | undefined {
  return found.find(revoked => revoked !== undefined)
}
