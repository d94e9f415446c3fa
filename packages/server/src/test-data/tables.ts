/** SQL types of columns, by name. */
export type Columns = { readonly [name: string]: string }

const owned = { id: 'text', organization_id: 'text' }
const lived = { is_deleted: 'boolean', created_at: 'timestamptz', metadata: 'jsonb' }

/** The tables to fill. Parents come before their children. */
export const tables = {
  members: {
    ...owned,
    name: 'text',
    starts_at: 'timestamptz',
    ends_at: 'timestamptz',
    auto_delete_at: 'timestamptz',
    tag_ids: 'text[]',
    ...lived,
    search_text: 'text',
  },
  member_emails: {
    ...owned,
    member_id: 'text',
    email: 'text',
    email_key: 'text',
    ...lived,
    search_text: 'text',
  },
  member_group_associations: { ...owned, member_id: 'text', member_group_id: 'text', ...lived },
  events: {
    ...owned,
    subject: 'jsonb',
    verb: 'text',
    object: 'jsonb',
    created_at: 'timestamptz',
    recorded_at: 'timestamptz',
    clock_adjusted: 'boolean',
  },
} as const satisfies { [table: string]: Columns }

export type Table = keyof typeof tables
export type RowOf<T extends Table> = { readonly [Column in keyof (typeof tables)[T]]: unknown }
