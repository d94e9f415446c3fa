import { type AlarmRecipient, invalid } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'

const ways = ['notification_target_id', 'user_id', 'role'] as const

/** Throws if an entry names nobody, more than one, or the same as another. */
export function checkRecipients(field: string, recipients: readonly AlarmRecipient[]): void {
  const known = new Set<string>()
  for (const [index, recipient] of recipients.entries()) {
    const path = `${field}.${index}`
    const given = ways.filter(way => recipient[way] !== undefined)
    const [way] = given
    if (!way || given.length > 1)
      throw invalid(path, `${path} must have exactly one of ${ways.join(', ')}, not ${given.length}`)
    const name = String(recipient[way])
    if (known.has(name)) throw invalid(`${path}.${way}`, `${path}.${way}: ${name} is named twice`)
    known.add(name)
  }
}

/** Throws if a user has no role in the organization, with the same words as if there were none with this id. */
export async function checkUsers(
  { caller, db }: Work,
  lists: ReadonlyMap<string, readonly AlarmRecipient[]>,
): Promise<void> {
  const named = [...lists].flatMap(([field, recipients]) =>
    recipients.flatMap(({ user_id }, index) =>
      user_id === undefined ? [] : [{ field: `${field}.${index}.user_id`, user_id }],
    ),
  )
  if (named.length === 0) return
  const rows = await db.query<{ user_id: string }>(
    'SELECT user_id FROM organization_users WHERE organization_id = $1 AND user_id = ANY($2::text[])',
    [caller.organization_id, named.map(({ user_id }) => user_id)],
  )
  const known = new Set(rows.map(({ user_id }) => user_id))
  const missing = named.find(({ user_id }) => !known.has(user_id))
  if (missing) throw invalid(missing.field, `${missing.field}: there is no user ${missing.user_id}`)
}
