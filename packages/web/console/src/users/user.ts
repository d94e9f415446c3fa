import type { Role } from '../session/session.ts'

export interface User {
  readonly id: string
  readonly name: string | null
  readonly email: string
  readonly role: Role
  /** The sites that the role is limited to. Null for all. */
  readonly site_ids: readonly string[] | null
  readonly created_at: string
  /** Sent only to administrators. */
  readonly has_second_factor?: boolean
}

export type Change = 'role' | 'remove' | 'transfer' | 'sign_out'
