import { type AlarmVoice, alarmVoiceOf } from '../texts/alarms/language.ts'
import { onOneLine } from '../texts/fill-gaps.ts'
import { localeOf } from '../texts/locale.ts'
import { countOf, type Message, type ToldAlarm } from './message.ts'

export interface Words {
  /** What happened, where, and how many more. */
  readonly title: string
  /** A line for each alarm, up to the limit. */
  readonly lines: readonly string[]
}

const longestPlace = 120

/** Says a message in the language of its reader. */
export function putIntoWords(message: Message, mostLines: number): Words {
  const voice = alarmVoiceOf(message.language)
  const { alarms, reason } = message
  const [first] = alarms
  if (!first || reason === 'test') return { title: voice.say('test'), lines: [voice.say('test_text')] }
  const lines = alarms.slice(0, mostLines).map(alarm => lineOf(voice, alarm, alarms.length > 1))
  const unsaid = countOf(message) - lines.length
  return {
    title: titleOf(voice, message, first),
    lines: unsaid > 0 ? [...lines, voice.say('more', { count: unsaid })] : lines,
  }
}

function titleOf(voice: AlarmVoice, message: Message, first: ToldAlarm): string {
  const headline = headlineOf(voice, first)
  const others = countOf(message) - 1
  const title = others > 0 ? `${headline}; ${voice.say('more', { count: others })}` : headline
  return voice.say(message.reason, { title })
}

function headlineOf(voice: AlarmVoice, { type, place }: ToldAlarm): string {
  const shown = onOneLine(place)
  const short = shown.length > longestPlace ? `${shown.slice(0, longestPlace).toWellFormed()}…` : shown
  return voice.say('headline', { title: voice.say(`type_${type}`), place: short })
}

/** A single alarm is named in the title already. */
function lineOf(voice: AlarmVoice, alarm: ToldAlarm, is_named: boolean): string {
  const { severity, started_at, ended_at, utc_offset } = alarm
  const show = (at: string) => clockAt(voice, at, utc_offset)
  const when = ended_at
    ? voice.say('from_to', { from: show(started_at), to: show(ended_at) })
    : voice.say('since', { at: show(started_at) })
  const what = is_named ? headlineOf(voice, alarm) : voice.say(severity)
  return `${what}. ${when}`
}

/** The clock at the place, by the zone data of the service and not by that of Intl. */
function clockAt({ language }: AlarmVoice, at: string, utc_offset: number): string {
  return formatOf(language).format(Date.parse(at) + utc_offset * 1000)
}

const formats = new Map<AlarmVoice['language'], Intl.DateTimeFormat>()

/** Made once for each language: a digest has up to a thousand times in it, and making a format takes longer than using it. */
function formatOf(language: AlarmVoice['language']): Intl.DateTimeFormat {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  const format = formats.get(language) ?? new Intl.DateTimeFormat(localeOf(language), options)
  formats.set(language, format)
  return format
}
