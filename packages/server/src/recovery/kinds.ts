/**
 * What the ledger can name, and how it is suspended: rows that can be deleted count as deleted (`flag`), and so do
 * overrides of doors and emergencies, which ended; rows
 * that are removed for good are set aside (`set_aside`); the secret of a device is emptied (`secret`).
 */
export interface LedgerKind {
  readonly kind: string
  readonly table: string
  readonly suspends: 'flag' | 'set_aside' | 'secret'
  /** The column with the id. */
  readonly id: 'id' | 'user_id'
  /** PINs and cards are claimed while they are in force. */
  readonly is_claimed?: true
}

const flags = [
  'member',
  'member_email',
  'member_magic_link',
  'member_pin',
  'member_card',
  'member_token',
  'member_group_association',
  'member_group',
  'schedule',
  'card',
  'device',
  'webhook',
  'notification_target',
] as const
export type FlagKind = (typeof flags)[number]

const claimed: readonly string[] = ['member_pin', 'member_card']

/** Members come first: their credentials are then suspended with them. */
export const ledgerKinds: readonly LedgerKind[] = [
  ...flags.map(
    (kind): LedgerKind => ({
      kind,
      table: `${kind}s`,
      suspends: 'flag',
      id: 'id',
      ...(claimed.includes(kind) && { is_claimed: true }),
    }),
  ),
  { kind: 'override', table: 'overrides', suspends: 'flag', id: 'id' },
  { kind: 'emergency', table: 'emergencies', suspends: 'flag', id: 'id' },
  { kind: 'device_secret', table: 'devices', suspends: 'secret', id: 'id' },
  { kind: 'user', table: 'organization_users', suspends: 'set_aside', id: 'user_id' },
  { kind: 'invitation', table: 'invitations', suspends: 'set_aside', id: 'id' },
]

export function isFlag(kind: string): kind is FlagKind {
  return flags.some(known => known === kind)
}

/** The rows that are in force. */
export function livingRows({ suspends }: LedgerKind): string {
  if (suspends === 'flag') return 'NOT is_deleted'
  return suspends === 'secret' ? 'secret_hash IS NOT NULL' : 'true'
}
