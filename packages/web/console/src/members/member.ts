import type { ObjectOf, Resources } from '@gatehouse-access/api'

type Of<K extends keyof Resources> = ObjectOf<Resources[K]>

export type Association = Of<'member_group_association'> & {
  readonly member_group?: { readonly id: string; readonly name: string; readonly is_deleted: boolean }
}

/** A member with its credentials and group associations. */
export type Member = Of<'member'> & {
  readonly emails: readonly Of<'member_email'>[]
  readonly magic_links: readonly Of<'member_magic_link'>[]
  readonly pins: readonly Of<'member_pin'>[]
  readonly cards: readonly Of<'member_card'>[]
  readonly tokens: readonly Of<'member_token'>[]
  readonly group_associations: readonly Association[]
}

export const memberExpands = [
  'emails',
  'magic_links',
  'pins',
  'cards',
  'tokens',
  'group_associations.member_group',
]
