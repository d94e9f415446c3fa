import { periodNames } from '@gatehouse-access/api'
import type { EventColumns } from '../../../events/feed-event.ts'
import { Html, html } from '../../../texts/html.ts'
import type { PersonTexts } from '../../../texts/person/english.ts'
import type { PersonVoice } from '../../../texts/person/language.ts'
import { actorOf } from './events.ts'
import type { Gathered } from './gather.ts'

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:start;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #ccc;overflow-wrap:anywhere}
@media print{body{margin:0;max-width:none}tr{break-inside:avoid}}`

/** The beginning of the page, up to the first row of the events. */
export function beginPage(voice: PersonVoice, held: Gathered, now: string): string {
  const { organization } = held
  const title = voice.say('title', { organization })
  return html`<!doctype html>
<html lang="${voice.language}" dir="${voice.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${new Html(style)}</style></head><body>
<h1>${title}</h1><p>${voice.say('intro', { organization, at: when(now) })}</p><p>${voice.say('times')}</p>
<h2>${voice.say('member')}</h2>${facts(voice, held.member)}
<h2>${voice.say('credentials')}</h2>${table(
    voice,
    ['kind', 'value', 'created_at', 'last_used_at', 'is_deleted', 'suspended', 'lost', 'metadata'],
    held.credentials.map(credential => cellsOf(voice, credential)),
  )}
<h2>${voice.say('groups')}</h2>${table(
    voice,
    ['name', 'opens', 'starts_at', 'ends_at', 'is_deleted', 'metadata'],
    held.groups.map(group => ({ ...group, opens: group.opens ?? voice.say('everything') })),
  )}
<h2>${voice.say('sessions')}</h2>${table(voice, ['created_at', 'last_used_at', 'ip_address', 'client'], held.sessions)}
<h2>${voice.say('mails')}</h2>${table(voice, ['created_at', 'language'], held.mails)}
<h2>${voice.say('alarms')}</h2>${table(
    voice,
    ['kind', 'created_at', 'metadata'],
    held.alarms.map(({ type, started_at, note }) => ({ kind: type, created_at: started_at, metadata: note })),
  )}
<h2>${voice.say('periods')}</h2>${periodTable(voice, held)}
<h2>${voice.say('events')}</h2><table><thead><tr>${heads(voice, ['when', 'what', 'where', 'how', 'who'])}</tr></thead><tbody>
`.text
}

export const endPage = '</tbody></table></body></html>\n'

/** A row of the page for an event. */
export function eventRow(
  voice: PersonVoice,
  event: EventColumns,
  member_id: string,
  doors: ReadonlyMap<string, string>,
): string {
  const { verb, object, subject, created_at } = event
  const isDenied = object.type === 'access_denial'
  const what = isDenied ? voice.say('denied') : `${voice.name(verb)}: ${voice.name(object.type)}`
  const fields = object.changes?.map(({ field }) => voice.name(field)).join(', ')
  const details = [what, isDenied ? object.reason : fields].filter(Boolean).join(', ')
  const by = actorOf(event, member_id)
  const how = by === 'by_you' ? [subject.access_method, subject.ip_address].filter(Boolean).join(', ') : ''
  return html`<tr><td>${when(created_at)}</td><td>${details}</td><td>${doors.get(object.gadget_id ?? '') ?? ''}</td><td>${how}</td><td>${voice.say(by)}</td></tr>
`.text
}

type Key = keyof PersonTexts
type Cells = { readonly [Name in Key]?: unknown }

function facts(voice: PersonVoice, member: Gathered['member']): Html {
  const names = [
    'id',
    'name',
    'external_id',
    'language',
    'starts_at',
    'ends_at',
    'created_at',
    'is_deleted',
    'suspended',
    'tags',
    'metadata',
  ] as const
  const told = { ...member, suspended: suspensionOf(voice, member) }
  return html`<table>${names.map(name => html`<tr><th scope="row">${voice.say(name)}</th><td>${show(voice, told[name])}</td></tr>`)}</table>`
}

type Credential = Gathered['credentials'][number]

function cellsOf(voice: PersonVoice, credential: Credential): Cells {
  const { value, card_name, lost_at, lost_reason, metadata, card_metadata } = credential
  return {
    ...credential,
    value: join(value, card_name),
    suspended: suspensionOf(voice, credential),
    lost: lost_at && join(when(lost_at), lost_reason),
    metadata: join(show(voice, metadata), show(voice, card_metadata)),
  }
}

type Suspension = Pick<Credential, 'is_suspended' | 'suspended_until' | 'suspended_reason'>

function suspensionOf(
  voice: PersonVoice,
  { is_suspended, suspended_until, suspended_reason }: Suspension,
): string {
  if (!is_suspended) return voice.say('no')
  const until = suspended_until && `${voice.say('ends_at')} ${when(suspended_until)}`
  return join(voice.say('yes'), until, suspended_reason)
}

function join(...texts: readonly (string | null)[]): string {
  return texts.filter(Boolean).join(', ')
}

function periodTable(voice: PersonVoice, { periods }: Gathered): Html {
  const days = (count: number | null | undefined) =>
    count == null ? voice.say('for_ever') : voice.say('days', { days: count })
  return html`<table>${periodNames.map(name => html`<tr><th scope="row">${voice.say(name)}</th><td>${days(periods[name])}</td></tr>`)}</table>`
}

function table(voice: PersonVoice, names: readonly Key[], rows: readonly Cells[]): Html {
  if (rows.length === 0) return html`<p>${voice.say('none')}</p>`
  return html`<table><thead><tr>${heads(voice, names)}</tr></thead><tbody>${rows.map(
    row =>
      html`<tr>${names.map(name => html`<td>${name === 'kind' ? voice.name(String(row[name])) : show(voice, row[name])}</td>`)}</tr>`,
  )}</tbody></table>`
}

function heads(voice: PersonVoice, names: readonly Key[]): Html[] {
  return names.map(name => html`<th scope="col">${voice.say(name)}</th>`)
}

const timestamp = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

function show(voice: PersonVoice, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return voice.say(value ? 'yes' : 'no')
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, held]) => `${key}: ${held}`)
      .join(', ')
  return timestamp.test(String(value)) ? when(String(value)) : String(value)
}

function when(at: string): string {
  return at.slice(0, 19).replace('T', ' ')
}
