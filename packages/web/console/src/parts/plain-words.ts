import { formatMoment } from './format-time.ts'

/** What the console calls the fields of the API that messages name. */
const fieldWords: Readonly<Record<string, string>> = {
  starts_at: 'the start',
  ends_at: 'the end',
  expires_at: 'the end',
  suspended_until: 'the end',
  created_at: 'the time it was added',
  site_id: 'the site',
  gadget_id: 'the door',
  gadget_ids: 'the doors',
  device_id: 'the device',
  member_id: 'the member',
  member_group_id: 'the group',
  member_group_ids: 'the groups',
  schedule_id: 'the schedule',
  calendar_id: 'the calendar',
  tag_ids: 'the tags',
  access_methods: 'the methods',
  input_rules: 'the input rules',
  redirect_uris: 'the redirect addresses',
  printed_code: 'the printed code',
  external_id: 'the external ID',
}

/** Returns a message of the API in the words of the console: fields by their labels, times as people read them. */
export function plainWords(message: string): string {
  return message
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, time => formatMoment(time))
    .replaceAll(
      /\b(?:\w+\.)*([a-z]+(?:_[a-z]+)+)\b(?!:)/g,
      (whole, field: string) => fieldWords[field] ?? whole,
    )
}
