import type { Checkpoint } from './checkpoint.ts'
import { hashText, isSigned } from './signing.ts'
import type { Break } from './verify-chain.ts'

export interface KnownHead {
  readonly number: number
  readonly hash: string
  /** Which checkpoint says so. */
  readonly source: string
}

export type KnownHeads = Map<string, KnownHead[]>

interface Document {
  readonly name: string
  readonly document: string
}

/**
 * Collects what the checkpoints say and answers what is wrong with them. The last must be signed with a key of the
 * service; an earlier one may have been signed with a key that was retired since, for the next holds its hash.
 */
export function readHeads(
  documents: readonly Document[],
  publicKeys: readonly string[],
  known: KnownHeads,
): Break[] {
  for (const [index, { name, document }] of documents.entries()) {
    const next = documents[index + 1]
    const checkpoint = parse(document)
    if (!checkpoint) return [broken(name, 'is not signed as it should be')]
    if (!next && !publicKeys.includes(checkpoint.public_key))
      return [broken(name, 'is signed with a key that the service does not have')]
    if (next && parse(next.document)?.previous !== hashText(document))
      return [broken(next.name, `does not follow on ${name}: one was altered or removed between them`)]
    remember(known, name, checkpoint)
  }
  return []
}

function parse(document: string): Checkpoint | undefined {
  const [content = '', signature = ''] = document.split('\n')
  try {
    const checkpoint: Checkpoint = JSON.parse(content)
    return isSigned(checkpoint.public_key, content, signature) ? checkpoint : undefined
  } catch {
    return undefined
  }
}

function remember(known: KnownHeads, source: string, { heads }: Checkpoint): void {
  for (const [id, { number, hash }] of Object.entries(heads))
    known.set(id, [...(known.get(id) ?? []), { number, hash, source }])
}

function broken(name: string, what: string): Break {
  return {
    organization_id: null,
    number: null,
    event_id: null,
    kind: 'checkpoint',
    message: `${name} ${what}`,
  }
}
