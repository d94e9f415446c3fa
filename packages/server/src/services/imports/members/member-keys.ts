/**
 * The values by which an import recognizes a member `m`, as an array in SQL. A key of metadata is a parameter, which
 * has the given place.
 */
export function keysOfMembers(key: string, place: string): { text: string; extra: readonly string[] } {
  if (key.startsWith('metadata.'))
    return {
      text: `array_remove(ARRAY[m.metadata->>${place}::text], NULL)`,
      extra: [key.slice('metadata.'.length)],
    }
  return { text: columnsOf(key), extra: [] }
}

function columnsOf(key: string): string {
  if (key === 'external_id') return `array_remove(ARRAY[m.external_id], NULL)`
  if (key === 'email')
    return `ARRAY(SELECT e.email_key FROM member_emails e WHERE e.organization_id = m.organization_id AND e.member_id = m.id AND NOT e.is_deleted)`
  return `ARRAY(SELECT c.uid FROM member_cards h JOIN cards c ON c.organization_id = h.organization_id AND c.id = h.card_id
    WHERE h.organization_id = m.organization_id AND h.member_id = m.id AND NOT h.is_deleted AND c.uid IS NOT NULL)`
}
