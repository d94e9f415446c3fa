import { countText } from '../data/use-count.ts'
import { spoken, t } from '../language/t.ts'

/** What the service counts of an object that is in use. */
export interface Uses {
  readonly member_group_count: number
  readonly member_count: number
  readonly gadget_count: number
}

type Words = readonly [string, string]
const memberWords: Words = spoken(['member', 'members'])
const groupWords: Words = spoken(['group', 'groups'])
export const doorWords: Words = spoken(['door', 'doors'])

/** Says who loses access to what, or nothing if nobody does. */
export function lossesOf({ member_group_count, member_count, gadget_count }: Uses): readonly string[] {
  if (member_count === 0 || gadget_count === 0) return []
  const groups = countOf(member_group_count, groupWords)
  return [
    t(
      `${countOf(member_count, memberWords)} in ${groups} may lose access to ${countOf(gadget_count, doorWords)}, unless another rule gives it.`,
    ),
  ]
}

/** Says how many other things stop working: `2 unlock rules stop working.` */
export function stops(count: number, words: Words): readonly string[] {
  return count === 0 ? [] : [t(`${countOf(count, words)} will stop working.`)]
}

function countOf(count: number, words: Words): string {
  return countText({ count, is_more: false }, words)
}
