import { spoken } from '../language/t.ts'

/** What files of jobs hold. Those of exports are called by what they hold. */
export const fileWords: Readonly<Record<string, string>> = spoken({
  'errors.csv': 'Refused rows',
  'results.csv': 'PINs and links',
  'diff.ndjson': 'Changes',
  'member-data.html': 'Data to read',
  'member-data.json': 'Data for programs',
})
