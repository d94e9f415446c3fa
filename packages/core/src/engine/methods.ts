import { type AccessMethod, accessMethods, type PermissionRule } from './policy-rows.ts'

export const methodBits: Readonly<Record<AccessMethod, number>> = {
  online: 1,
  bluetooth: 2,
  mobile_nfc: 4,
  pin: 8,
  card: 16,
}
export const allMethods = 31

/** Without a list, all methods are allowed. With a list, only those set to true are. */
export function methodsOf({ access_methods: allowed }: PermissionRule): number {
  if (!allowed) return allMethods
  return accessMethods.reduce(
    (bits, method) => (allowed[method] === true ? bits | methodBits[method] : bits),
    0,
  )
}

export function listMethods(bits: number): AccessMethod[] {
  return accessMethods.filter(method => (bits & methodBits[method]) !== 0)
}
