/** What can be imported. */
export const importKinds = ['members', 'cards', 'calendar_days', 'group_associations'] as const
export type ImportKind = (typeof importKinds)[number]

const columnsOf = {
  members: [
    'id',
    'external_id',
    'first_name',
    'name',
    'email',
    'groups',
    'starts_at',
    'ends_at',
    'language',
    'pin',
    'card_uid',
    'card_printed_code',
    'magic_link',
    'tags',
    'metadata',
    'is_deleted',
  ],
  cards: ['id', 'uid', 'printed_code', 'name', 'metadata', 'is_deleted'],
  calendar_days: [
    'id',
    'calendar',
    'name',
    'kind',
    'starts_on',
    'ends_on',
    'recurrence',
    'is_public',
    'metadata',
    'is_deleted',
  ],
  group_associations: ['id', 'member', 'group', 'starts_at', 'ends_at', 'metadata', 'is_deleted'],
} as const satisfies Record<ImportKind, readonly string[]>

export type ImportColumn = (typeof columnsOf)[ImportKind][number]

export function importColumns(kind: ImportKind): readonly ImportColumn[] {
  return columnsOf[kind]
}

/** What exports and files of errors tell, and no import sets. Such columns are passed over. */
export const readOnlyColumns = [
  'organization_id',
  'created_at',
  'updated_at',
  'erased_at',
  'is_suspended',
  'suspended_until',
  'suspended_reason',
  'is_lost',
  'lost_at',
  'lost_reason',
  'is_managed',
  'status',
  'last_used_at',
  'line',
  'column',
  'problem',
] as const

/** A column that has a meaning, or the metadata that it is stored as. */
export type TargetColumn = ImportColumn | `metadata.${string}`

export function isTarget(kind: ImportKind, name: string): name is TargetColumn {
  return metadataKey(name) !== undefined || importColumns(kind).some(column => column === name)
}

/** Returns the key of a column of metadata. */
export function metadataKey(column: string): string | undefined {
  return /^metadata\.(.*)$/s.exec(column)?.[1]
}
