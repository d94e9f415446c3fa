/** What a rule applies to (nothing, everything, a gadget, a site or a tag), as a number for cheap comparison. */
export type Target = number

export const nothing: Target = 0
export const everything: Target = 1

export function targetOfGadget(number: number): Target {
  return number * 3 + 2
}

export function targetOfSite(number: number): Target {
  return number * 3 + 3
}

/** Covers the gadgets that have the tag. */
export function targetOfTag(number: number): Target {
  return number * 3 + 4
}

/** Targets share 31 bits, modulo 31. The highest bit of the word is reserved for the group's living flag. */
export function targetBits(target: Target): number {
  return target === everything ? 2 ** 31 - 1 : 1 << (target % 31)
}
