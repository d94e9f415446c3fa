import { list, required, shape } from '../kit/compounds.ts'
import { integer } from '../kit/scalars.ts'

const range = shape({
  start: required(integer(0, 86400), "Start in seconds since 00:00, in the site's local time."),
  end: required(integer(0, 86400), 'End in seconds since 00:00. Must be greater than start.'),
})

/** The time ranges of one day. */
export const timeRanges = list(range, { max: 100 })
