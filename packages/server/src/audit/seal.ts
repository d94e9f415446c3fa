import { randomBytes } from 'node:crypto'
import type { Steps } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import type { Consumer } from '../events/consumer.ts'
import type { EventColumns } from '../events/feed-event.ts'
import { inGaps, soon } from '../flow/gaps.ts'
import { digestEvent, firstHash, nextHash } from './chain.ts'
import { findClosed } from './closings.ts'
import type { AuditContext } from './context.ts'
import { type AuditKey, deriveAuditKey, linkText, seal } from './keys.ts'

export interface Head {
  readonly number: number
  readonly hash: Buffer
}

/** What a link is made of. */
interface Linked {
  readonly event: EventColumns
}

interface Link {
  readonly organization_id: string
  readonly number: number
  readonly event_id: string
  readonly salt: Buffer
  readonly digest: Buffer
  readonly hash: Buffer
  readonly seal: Buffer
}

/** Adds every event to the chain of its organization. Reads from the feed, so that writers never wait. */
export function sealEvents({ config }: Pick<AuditContext, 'config'>): Consumer {
  const key = deriveAuditKey(config.secret_keys[0])
  return {
    name: 'audit',
    patience: 200,
    rest: 300,
    gives_way: true,
    // Skipping an event would break the chain permanently. The consumer stops with an error instead.
    isWhole: true,
    async handle(db, events) {
      const byOrganization = Map.groupBy(events, ({ event }) => event.organization_id)
      const heads = await loadHeads(db, [...byOrganization.keys()])
      for (const id of await findClosed(db, [...byOrganization.keys()])) byOrganization.delete(id)
      const links: Link[] = []
      for (const [id, group] of byOrganization)
        links.push(...(await inGaps(linkAll(key, id, heads.get(id), group), soon)))
      if (links.length === 0) return
      await storeLinks(db, links)
      await storeHeads(db, links)
    },
  }
}

async function loadHeads(db: Database, ids: readonly string[]): Promise<Map<string, Head>> {
  const rows = await db.query<{ organization_id: string; number: string; hash: Buffer }>(
    `SELECT organization_id, number, hash FROM audit_heads WHERE organization_id = ANY($1::text[])
     ORDER BY organization_id FOR UPDATE`,
    [ids],
  )
  return new Map(
    rows.map(({ organization_id, number, hash }) => [organization_id, { number: Number(number), hash }]),
  )
}

/** Adds links for events of one organization behind a head that the caller keeps. Returns the new head. */
export async function linkEvents(
  db: Pick<Database, 'query'>,
  key: AuditKey,
  organizationId: string,
  head: Head | undefined,
  events: readonly Linked[],
): Promise<Head | undefined> {
  const links = await inGaps(linkAll(key, organizationId, head, events), soon)
  if (links.length > 0) await storeLinks(db, links)
  return links.at(-1) ?? head
}

const saltSize = 16

function* linkAll(
  key: AuditKey,
  id: string,
  head: Head | undefined,
  events: readonly Linked[],
): Steps<Link[]> {
  let last: Head = head ?? { number: 0, hash: firstHash(id) }
  // Draws all salts in one call, because a call costs more than a salt.
  const salts = randomBytes(saltSize * events.length)
  const links: Link[] = []
  for (const [index, { event }] of events.entries()) {
    const link = linkAfter(key, id, last, event, salts.subarray(saltSize * index, saltSize * (index + 1)))
    links.push(link)
    last = link
    yield
  }
  return links
}

function linkAfter(
  key: AuditKey,
  organization_id: string,
  head: Head,
  event: EventColumns,
  salt: Buffer,
): Link {
  const digest = digestEvent(salt, event)
  const number = head.number + 1
  const event_id = event.id
  const hash = nextHash(head.hash, number, event_id, digest)
  return {
    organization_id,
    number,
    event_id,
    salt,
    digest,
    hash,
    seal: seal(key, linkText(organization_id, number, hash)),
  }
}

/** Passes columns, with the bytes of all links in one buffer: JSON would cost more than the links. */
async function storeLinks(db: Pick<Database, 'query'>, links: readonly Link[]): Promise<void> {
  await db.query(
    `INSERT INTO audit_links (organization_id, number, event_id, salt, digest, hash, seal)
     SELECT organization_id, number, event_id, substring($4::bytea FROM start FOR 16), substring($4 FROM start + 16 FOR 32),
       substring($4 FROM start + 48 FOR 32), substring($4 FROM start + 80 FOR 20)
     FROM unnest(string_to_array($1, ','), string_to_array($2, ',')::bigint[], string_to_array($3, ','))
       WITH ORDINALITY AS l(organization_id, number, event_id, place),
       LATERAL (SELECT (100 * (place - 1) + 1)::integer AS start) s`,
    [
      links.map(({ organization_id }) => organization_id).join(),
      links.map(({ number }) => number).join(),
      links.map(({ event_id }) => event_id).join(),
      Buffer.concat(links.flatMap(link => [link.salt, link.digest, link.hash, link.seal])),
    ],
  )
}

/** Stores the last link of each organization as its head. */
async function storeHeads(db: Database, links: readonly Link[]): Promise<void> {
  const last = new Map(links.map(link => [link.organization_id, link]))
  const heads = [...last.values()].map(({ organization_id, number, hash }) => ({
    organization_id,
    number,
    hash: hash.toString('hex'),
  }))
  await db.query(
    `INSERT INTO audit_heads (organization_id, number, hash)
     SELECT organization_id, number, decode(hash, 'hex')
     FROM jsonb_to_recordset($1::jsonb) AS h(organization_id text, number bigint, hash text)
     ON CONFLICT (organization_id) DO UPDATE SET number = excluded.number, hash = excluded.hash`,
    [heads],
  )
}
