import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectOf, Resources } from '@gatehouse-access/api'
import type { ImportFile, ImportWish } from '@gatehouse-access/sdk'
import type { Tenant } from '@gatehouse-access/testkit'

export type Job = ObjectOf<Resources['job']>

/** Sends a file, and waits until its job has ended or awaits its start. */
export async function importFile(
  { client }: Tenant,
  file: ImportFile,
  wish: ImportWish = {},
  gap?: number,
): Promise<Job> {
  const { id } = await client.imports.create(file, wish)
  return ended(client, id, gap)
}

/** Asks at gaps: jobs give way to requests, and whoever asks all the time keeps them from their work. */
export async function ended(client: Tenant['client'], id: string, gap = 40): Promise<Job> {
  for (;;) {
    const job = await client.jobs.get(id)
    if (job.state !== 'queued' && job.state !== 'running') return job
    await sleep(gap)
  }
}

export async function fileOf({ client }: Tenant, { id }: Job, name: string): Promise<string> {
  return (await client.jobs.file(id, name)).text()
}

export interface DiffLine {
  readonly line: number | null
  readonly outcome: string
  readonly member_id: string | null
  readonly external_id: string | null
  readonly before: Record<string, unknown> | null
  readonly after: Record<string, unknown>
}

export async function diffOf(tenant: Tenant, job: Job): Promise<DiffLine[]> {
  const text = await fileOf(tenant, job, 'diff.ndjson')
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

/** All members by their external id, with what hangs on them. */
export async function membersOf({ client }: Tenant) {
  const members = new Map<string, MemberWithAll>()
  const expand = ['emails', 'pins', 'cards', 'group_associations', 'magic_links']
  for await (const member of client.members.all<Expanded>({ expand, is_deleted: 'any' }))
    members.set(member.external_id ?? member.id, member)
  return members
}

interface Expanded {
  readonly emails: readonly { readonly id: string; readonly email: string }[]
  readonly pins: readonly { readonly id: string; readonly length: number }[]
  readonly cards: readonly { readonly id: string; readonly card_id: string; readonly uid: string | null }[]
  readonly magic_links: readonly { readonly id: string }[]
  readonly group_associations: readonly { readonly id: string; readonly member_group_id: string }[]
}
export type MemberWithAll = ObjectOf<Resources['member']> & Expanded

/** The number of events of the organization, without those of jobs themselves. */
export async function countEvents({ client }: Tenant): Promise<number> {
  let count = 0
  for await (const { object } of client.events.all({})) if (object.type !== 'job') count++
  return count
}
