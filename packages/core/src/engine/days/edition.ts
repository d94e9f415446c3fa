/** Counts the changes after which a day may have other times, so that answers of before are not reused. */
export interface Edition {
  number: number
}
