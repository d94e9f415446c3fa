import { grow } from './id-column.ts'
import { createIdTable, findNumber, type IdTable, numberOf } from './id-table.ts'
import { type AccessMethod, type CredentialRow, credentialKinds } from './policy-rows.ts'

export interface Credentials {
  ids: IdTable
  /** Per credential, from the high bits down: the member's number, the kind, and the deleted flag. */
  holders: Uint32Array
}

const kindBits = 3
const methodOfKind: readonly AccessMethod[] = ['online', 'online', 'pin', 'card', 'online']

export function createCredentials(capacity: number): Credentials {
  const ids = createIdTable(['me_', 'mml_', 'mp_', 'mc_', 'mt_'], capacity)
  return { ids, holders: new Uint32Array(capacity) }
}

export function putCredential(credentials: Credentials, member: number, row: CredentialRow): void {
  const number = numberOf(credentials.ids, row.id)
  if (credentials.holders.length <= number) credentials.holders = grow(credentials.holders, number + 1)
  const kind = credentialKinds.indexOf(row.kind)
  credentials.holders[number] = (((member << kindBits) | kind) << 1) | (row.is_deleted ? 1 : 0)
}

export function findCredential(credentials: Credentials, id: string): number {
  return findNumber(credentials.ids, id)
}

export function holderOf({ holders }: Credentials, number: number): number {
  return (holders[number] as number) >>> (kindBits + 1)
}

export function isCredentialDeleted({ holders }: Credentials, number: number): boolean {
  return ((holders[number] as number) & 1) === 1
}

/** The access method when a question gives none: PINs and cards are used at the door, all others online. */
export function methodOfCredential({ holders }: Credentials, number: number): AccessMethod {
  return methodOfKind[((holders[number] as number) >>> 1) & 7] as AccessMethod
}
