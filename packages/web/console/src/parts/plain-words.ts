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

/** What messages of the API say, for languages that the API does not speak. The first that fits counts. */
const sayings: readonly (readonly [RegExp, string])[] = [
  [/\bis required\b/, t('This is required.')],
  [/must be after/, t('The end must be after the start.')],
  [/an email address/, t('This is not an email address.')],
  [/a URL|an https URL|redirect/, t('This is not an address that is accepted.')],
  [/time zone/, t('This time zone is not known.')],
  [/a string of|characters/, t('This is too short, too long, or has characters that are not accepted.')],
  [/timestamp|a date/, t('This is not a date that is accepted.')],
  [/number|integer/, t('This is not a number that is accepted.')],
  [/already|in use|taken/, t('This is in use already.')],
  [/is deleted/, t('It is deleted. Restore it first.')],
  [/there is no|does not exist/, t('It does not exist any more.')],
  [/at most|limit|quota/, t('This is more than is allowed.')],
  [/ask an administrator/, t('Ask an administrator.')],
]

/** Returns a message of the API in the words of the console, and in the language of the user. */
export function plainWords(message: string): string {
  if (language === 'en') return inEnglish(message)
  return sayings.find(([pattern]) => pattern.test(message))?.[1] ?? t('The service did not accept this.')
}

/** Names fields by their labels, and times as people read them. */
function inEnglish(message: string): string {
  return message
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, time => formatMoment(time))
    .replaceAll(
      /\b(?:\w+\.)*([a-z]+(?:_[a-z]+)+)\b(?!:)/g,
      (whole, field: string) => fieldWords[field] ?? whole,
    )
}
