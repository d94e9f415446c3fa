/** What a rule is about, as a number that is compared instead of cells: nothing, everything, a gadget or a site. */
export type Target = number

export const nothing: Target = 0
export const everything: Target = 1

export function targetOfGadget(number: number): Target {
  return number * 2 + 2
}

export function targetOfSite(number: number): Target {
  return number * 2 + 3
}

/** The bits go round: 31 of them, because the last one of a word says whether the group lives. */
export function targetBits(target: Target): number {
  return target === everything ? 2 ** 31 - 1 : 1 << (target % 31)
}
