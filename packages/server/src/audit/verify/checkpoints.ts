import type { Anchor, AnchoredHead } from '../anchor-file.ts'
import type { Checkpoint } from '../checkpoint-document.ts'
import { name as nameHead } from '../heads.ts'
import { hashText, readDocument } from '../signing.ts'
import type { Break, KnownHead } from './report.ts'

/** The chain heads that checkpoints and anchors record, by organization. */
export class KnownHeads {
  readonly #heads = new Map<string, KnownHead[]>()
  readonly #abandoned = new Set<string>()

  of(organizationId: string): KnownHead[] {
    return (this.#heads.get(organizationId) ?? []).filter(
      ({ number, hash }) => !this.#abandoned.has(nameHead({ organization_id: organizationId, number, hash })),
    )
  }

  organizations(): string[] {
    return [...this.#heads.keys()].filter(id => this.of(id).length > 0)
  }

  add(source: string, { organization_id, number, hash }: AnchoredHead): void {
    const known = this.#heads.get(organization_id)
    if (known) known.push({ number, hash, source })
    else this.#heads.set(organization_id, [{ number, hash, source }])
  }

  /** Excludes heads abandoned by a restore from a backup. */
  abandon(heads: readonly AnchoredHead[]): void {
    for (const head of heads) this.#abandoned.add(nameHead(head))
  }
}

interface Document {
  readonly name: string
  readonly document: string
}

/**
 * Collects the heads of the checkpoints and returns the faults found. The last checkpoint must be signed with
 * a key of the service. An earlier one may be signed with a key retired since, because the next checkpoint
 * holds its hash.
 */
export function readHeads(
  documents: readonly Document[],
  publicKeys: readonly string[],
  known: KnownHeads,
): Break[] {
  for (const [index, { name, document }] of documents.entries()) {
    const next = documents[index + 1]
    const checkpoint = readDocument<Checkpoint>(document)
    if (!checkpoint) return [broken(name, 'is not signed correctly')]
    if (!next && !publicKeys.includes(checkpoint.public_key))
      return [broken(name, 'is signed with a key that the service does not have')]
    if (next && readDocument<Checkpoint>(next.document)?.previous !== hashText(document))
      return [broken(next.name, `does not follow ${name}: one between them was altered or removed`)]
    for (const [organization_id, head] of Object.entries(checkpoint.heads))
      known.add(name, { organization_id, ...head })
    known.abandon(checkpoint.restored?.abandoned ?? [])
  }
  return []
}

export function readAnchorHeads(anchor: Anchor, publicKeys: readonly string[], known: KnownHeads): Break[] {
  if (!publicKeys.includes(anchor.public_key))
    return [broken(anchor.name, 'is signed with a key that the service does not have')]
  for (const head of anchor.heads) known.add(anchor.name, head)
  return []
}

export function broken(name: string, what: string): Break {
  return {
    organization_id: null,
    number: null,
    event_id: null,
    kind: 'checkpoint',
    message: `${name} ${what}`,
  }
}
