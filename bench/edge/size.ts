export const deviceId = 'dev_00000000000000000001'
export const key = Buffer.alloc(32, 7)
/** Each member has a PIN and a card. */
export const members = 125_000
export const groups = 1_000
export const rulesOfGroup = 10

export function idOf(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(20, '0')}`
}

export function pinOf(member: number): string {
  return String(10_000_000 + member * 7)
}

/** The schedule of the member below: open on all days, but each of the next 365 is closed by an exception. */
export const closedSchedule = idOf('sch', 2)
export const closedMember = idOf('mem', members)

/** Half of the members may open the first door, at any time or by a schedule that is always open. */
export function mayOpen(member: number): boolean {
  return member % 2 === 0
}
