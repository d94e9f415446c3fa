import { alarmTitles } from '../alarms/alarm-words.ts'
import { spoken, t } from '../language/t.ts'
import type { LiveEvent } from '../live/stream.ts'
import { quoted } from '../parts/quoted.ts'
import type { Subject, Words } from './sentence.ts'

/** What people do with an alarm. */
const deeds: Record<string, string> = spoken({
  acknowledged: 'acknowledged',
  snoozed: 'snoozed',
  closed: 'closed the alarm',
  reopened: 'reopened',
})

/** What becomes of an alarm by itself. */
const turns: Record<string, string> = {
  ended: t('is over'),
  raised: t('became more severe'),
  settled: t('no longer comes and goes'),
  unexplained: t('goes on without its cause'),
}

/** Renders an event about an alarm: its beginning by where, the others by what became of it. */
export function alarmWords(event: LiveEvent, who: Subject, place: Subject | undefined): Words {
  const { object, object_alarm: alarm, verb } = event
  const title = alarm && alarmTitles[alarm.type]
  const path = object.alarm_id && { path: `/alarms/${object.alarm_id}` }
  const what = { name: title ? quoted(title) : t('an alarm'), ...path }
  const more = place ? { more: place.name } : {}
  if (verb === 'create')
    return place && object.gadget_id
      ? { who: { ...what, name: title ?? what.name }, did: t('at'), what: place, tone: 'bad' }
      : { who: { name: t('An alarm') }, did: t('began:'), what, ...more, tone: 'bad' }
  const turn = turns[object.reason ?? '']
  if (turn) return { who: what, did: turn, ...more, tone: object.reason === 'raised' ? 'bad' : 'plain' }
  return { who, did: deeds[object.reason ?? ''] ?? t('changed the note of'), what, ...more, tone: 'plain' }
}
