import type { ObjectOf, Resources } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'

type Emergency = ObjectOf<Resources['emergency']>

/** Says how far an emergency has come, in one sentence. */
export function describeEmergency(emergency: Emergency): string {
  const { cannot_gadget_count, confirmed_gadget_count, ended_at, gadget_count, id, is_drill, name } =
    emergency
  const state = ended_at === null ? 'started' : 'ended'
  const cannot = cannot_gadget_count ? `; ${cannot_gadget_count} cannot follow` : ''
  return `${name}${is_drill ? ' (drill)' : ''} ${id} has ${state}: ${confirmed_gadget_count} of ${gadget_count} doors confirmed${cannot}.`
}

const missing = ['sent', 'offline', 'failed'] as const

/** Names the doors that have not confirmed, at most so many of each state. */
export async function listMissing(client: Client, id: string, limit = 20): Promise<string[]> {
  const lines: string[] = []
  for (const state of missing) {
    const query = { state, limit, expand: ['gadget'] }
    const { cursor_next, data } = await client.emergencies.doors<{ gadget: { name: string } }>(id, query)
    lines.push(...data.map(door => `  ${door.gadget.name}: ${state}${sinceOf(door.offline_since)}`))
    if (cursor_next) lines.push(`  and more that are ${state}`)
  }
  return lines
}

function sinceOf(offline_since: string | null): string {
  return offline_since === null ? '' : ` since ${offline_since}`
}
