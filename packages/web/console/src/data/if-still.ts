import { etagOf } from '@gatehouse-access/sdk'

/** Makes an edit fail if the object is not as it was seen. */
export function ifStill(seen: object): { if_match?: string } {
  const if_match = etagOf(seen)
  return if_match === undefined ? {} : { if_match }
}
