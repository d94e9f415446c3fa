import type { Kind, ResourceKind, Resources } from '@gatehouse/api'
import type { Behaviour } from './context.ts'

/** Says what a kind does, with rows as its declaration types them. */
export function behaviour<K extends Kind & ResourceKind>(
  _kind: K,
  does: Behaviour<Resources[K]>,
): Behaviour<Resources[K]> {
  return does
}
