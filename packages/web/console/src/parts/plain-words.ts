import { language } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { formatMoment } from './format-time.ts'

/** What the console calls the fields of the API that messages name. */
const fieldWords: Readonly<Record<string, string>> = {
  starts_at: t('the start'),
  ends_at: t('the end'),
  expires_at: t('the end'),
  suspended_until: t('the end'),
  created_at: t('the time it was added'),
  site_id: t('the site'),
  gadget_id: t('the door'),
  gadget_ids: t('the doors'),
  device_id: t('the device'),
  member_id: t('the member'),
  member_group_id: t('the group'),
  member_group_ids: t('the groups'),
  schedule_id: t('the schedule'),
  calendar_id: t('the calendar'),
  tag_ids: t('the tags'),
  access_methods: t('the methods'),
  input_rules: t('the input rules'),
  redirect_uris: t('the redirect addresses'),
  printed_code: t('the printed code'),
  external_id: t('the external ID'),
}

export type Saying = readonly [pattern: RegExp, say: (...found: readonly string[]) => string]

/** What messages of the API say, for languages that the API does not speak. The first that fits counts. */
const sayings: readonly Saying[] = [
  [/\bis required\b/, () => t('This is required.')],
  [/must be after|must be greater than start/, () => t('The end must be after the start.')],
  [/must not be before|must be before/, () => t('The end must not be before the start.')],
  [/must be in the future/, () => t('This must be in the future.')],
  [/overlap/, () => t('These times overlap.')],
  [/an email address/, () => t('This is not an email address.')],
  [/has no email address/, () => t('The member has no email address. Add one first.')],
  [/an https URL|redirect/, () => t('This is not an address that is accepted.')],
  [/a URL of at most (\d+)/, most => t(`An address of at most ${most} characters.`)],
  [/an http or https URL/, () => t('An address that begins with http:// or https://.')],
  [/time zone/, () => t('This time zone is not known.')],
  [/a color like (#\w+)/, example => t(`A color like ${example}.`)],
  [/on one line/, () => t('This must be a single line.')],
  [/too many PINs of (\d+) digits .* use (\d+) digits/, (few, more) => tooMany(few, more)],
  [/pin cannot be used/, () => t('This PIN cannot be used. Choose another one.')],
  [/(\d+) to (\d+) digits/, (least, most) => t(`${least} to ${most} digits.`)],
  [/a string of 0 to (\d+) characters/, most => t(`At most ${most} characters.`)],
  [/a string of (\d+) to (\d+) characters/, (least, most) => t(`${least} to ${most} characters.`)],
  [
    /a string of|characters/,
    () => t('This is too short, too long, or has characters that are not accepted.'),
  ],
  [/timestamp|date-time|a date/, () => t('This is not a date that is accepted.')],
  [/(?:a number|an integer) from ([-\d.]+) to ([-\d.]+)/, (from, to) => t(`A number from ${from} to ${to}.`)],
  [/number|integer/, () => t('This is not a number that is accepted.')],
  [
    /must start with \* or #/,
    () => t('This must begin with * or #, because there is a rule without a code.'),
  ],
  [/prefix of/, () => t('No code may begin with another one.')],
  [/used twice/, () => t('This is there twice.')],
  [/code is wrong/, () => t('The code is wrong, or older than 10 minutes.')],
  [/lost card|reported lost/, () => t('This card was reported lost. Report it found first.')],
  [/inherit from itself/, () => t('A group cannot inherit from itself.')],
  [/cannot be held open/, () => t('This door cannot be held open.')],
  [/still contains/, () => t('There is still something inside. Delete that first.')],
  [/cannot be removed|while .* (?:uses?|names?|holds?)/, () => t('Something else still uses this.')],
  [/can have (\d+) /, most => t(`At most ${most} are allowed.`)],
  [/already|in use|taken/, () => t('This is in use already.')],
  [/is deleted/, () => t('It is deleted. Restore it first.')],
  [/there is no|does not exist|has no /, () => t('It does not exist any more.')],
  [/at most|limit|quota/, () => t('This is more than is allowed.')],
  [/ask an administrator/, () => t('Ask an administrator.')],
]

function tooMany(few = '', more = ''): string {
  return t(`Too many PINs of ${few} digits are in use for another one to be safe. Take ${more} digits.`)
}

/**
 * Returns a message of the API in the words of the console, and in the language of the user. `more` are sayings that
 * only some messages need.
 */
export function plainWords(message: string, spoken = language, more: readonly Saying[] = []): string {
  if (spoken === 'en') return inEnglish(message)
  for (const [pattern, say] of [...more, ...sayings]) {
    const found = pattern.exec(message)
    if (found) return say(...found.slice(1))
  }
  return t('The service did not accept this.')
}

/** Names fields by their labels, and times as people read them. What is quoted is a value, and stays. */
function inEnglish(message: string): string {
  return message
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, time => formatMoment(time))
    .replaceAll(/"[^"]*"|\b(?:\w+\.)*([a-z]+(?:_[a-z]+)+)\b(?!:)/g, (found, name?: string) =>
      name ? (fieldWords[name] ?? name.replaceAll('_', ' ')) : found,
    )
}
