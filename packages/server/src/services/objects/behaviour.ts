import type { Kind, ResourceKind, Resources } from '@gatehouse-access/api'
import type { Behaviour } from './context.ts'

/** Defines the behavior of a kind, with rows typed by its declaration. */
export function behaviour<K extends Kind & ResourceKind>(
  _kind: K,
  does: Behaviour<Resources[K]>,
): Behaviour<Resources[K]> {
  return does
}
