/** The week begins on a Monday at midnight, in Madrid. Its times are in seconds since then. */
export const begins = '2027-05-02T22:00:00Z'
export const minute = 60
export const hour = 3600
export const day = 24 * hour
export const week = 7 * day

export const [monday, tuesday, wednesday, thursday, friday, saturday, sunday] = [0, 1, 2, 3, 4, 5, 6].map(
  number => number * day,
) as [number, number, number, number, number, number, number]

export const workdays = [monday, tuesday, wednesday, thursday, friday]

export const drill = { from: friday + 11 * hour, until: friday + 11 * hour + 20 * minute }
/** Technicians replace readers on the third floor. */
export const works = { floor: 2, from: thursday + 9 * hour, until: thursday + 12 * hour }
