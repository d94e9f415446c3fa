import { spoken, t } from '../language/t.ts'
import type { LiveEvent } from '../live/stream.ts'
import { alarmWords } from './alarm-words.ts'
import { shortChanges } from './change-words.ts'
import { methodWords } from './method-words.ts'
import { modeWords } from './mode-words.ts'
import { reasonText } from './reason-words.ts'
import type { Subject, Words } from './sentence.ts'

/** What somebody tries at a device or a site as a whole. */
const guessWords: Record<string, string> = {
  pin_guessing: t('is trying many wrong PINs at'),
  card_guessing: t('is trying many unknown cards at'),
}

export const kindWords: Record<string, string> = spoken({
  device: 'device',
  gadget: 'door',
  gadget_action: 'action',
  gadget_state: 'state',
  gadget_signal: 'signal',
  member: 'member',
  member_email: 'email',
  member_magic_link: 'link',
  member_group: 'group',
  member_group_association: 'membership',
  member_pin: 'PIN',
  member_card: 'card',
  member_token: 'token',
  organization: 'organization',
  site: 'site',
  webhook: 'webhook',
  hardware: 'hardware of',
  card: 'card',
  schedule: 'schedule',
  calendar: 'calendar',
  calendar_day: 'day',
  unlock_rule: 'unlock rule',
  emergency_plan: 'emergency plan',
  emergency: 'emergency',
  alarm: 'alarm',
  alarm_rule: 'alarm rule',
  notification_target: 'notification target',
  job: 'job',
  erasure: 'erasure',
  legal_hold: 'legal hold',
  gadget_mode: 'mode of a door',
  tag: 'tag',
  gadget_trigger: 'trigger',
  access_denial: 'denied attempt',
  user: 'user',
  invitation: 'invitation',
  oauth_application: 'application',
})

/** Status changes that a device reports itself. */
const statusWords: Record<string, string> = {
  online: t('went online'),
  offline: t('went offline'),
  battery_low: t('has less than 20% battery'),
}

const restoreWords: Record<string, string> = {
  restored_from_backup: t('was restored from a backup'),
  imported: t('came from another installation'),
  restore_confirmed: t('goes on after a restore from a backup'),
}

/** What somebody does, with what. */
const deeds: Record<string, (what: string) => string> = {
  create: what => t(`added ${what}`),
  edit: what => t(`changed ${what}`),
  delete: what => t(`deleted ${what}`),
  use: what => t(`used ${what}`),
  reveal: what => t(`revealed ${what}`),
  restored: what => t(`restored ${what}`),
}

/** Renders an event as a sentence. Names stay separate, because they are displayed differently. */
export function wordsOf(event: LiveEvent): Words {
  const { object, subject } = event
  const who = whoOf(event)
  const gadget = gadgetOf(event)
  const method = subject.access_method ? t(`by ${methodWords[subject.access_method]}`) : undefined
  if (object.type === 'gadget_action' && object.gadget_signal_id)
    return { who: gadget, did: t('was released on a request to exit'), tone: 'good' }
  if (object.type === 'gadget_action')
    return { who, did: actionWords(event), what: gadget, ...(method && { more: method }), tone: 'good' }
  if (object.type === 'access_denial' && object.gadget_trigger_id)
    return {
      who: { name: t('A trigger') },
      did: t('was held back at'),
      what: gadget,
      more: reasonText(object.reason),
      tone: 'plain',
    }
  if (object.type === 'access_denial')
    return {
      who:
        subject.member_id || subject.oauth_application_id || subject.user_id ? who : { name: t('Someone') },
      did: t('was denied at'),
      what: gadget,
      more: reasonText(object.reason),
      tone: 'bad',
    }
  if (object.type === 'gadget_state')
    return {
      who: gadget,
      did: t(`is now “${nameIn(event, 'states', object.gadget_state_id)}”`),
      tone: 'plain',
    }
  if (object.type === 'gadget_signal')
    return {
      who: gadget,
      did: t(`sent the signal “${nameIn(event, 'signals', object.gadget_signal_id)}”`),
      tone: 'plain',
    }
  const guess = guessWords[object.reason ?? '']
  const place = targetOf(event)
  const about_mode = modeWords(event, who, place)
  if (about_mode) return about_mode
  if (object.type === 'alarm') return alarmWords(event, who, place)
  if (object.type === 'job') return jobWords(event, who)
  if (guess && place) return { who: { name: t('Someone') }, did: guess, what: place, tone: 'bad' }
  if (object.reason === 'maintenance' && place)
    return { who, did: t('changed the maintenance of'), what: place, tone: 'plain' }
  const status = object.type === 'device' && statusWords[object.reason ?? '']
  if (status && place) return { who: place, did: status, tone: object.reason === 'online' ? 'plain' : 'bad' }
  const special = specialWords(event)
  if (special) return { who, did: special, tone: 'plain' }
  if (object.type === 'gadget_trigger')
    return { who, did: deedOf(event, t('a trigger in')), what: siteOf(event), tone: 'plain' }
  const did = deedOf(event, t(`the ${thingOf(event)}${isOfMember(object.type) ? t(' of') : ''}`))
  const changed = object.reason ? undefined : shortChanges(object.changes)
  const what = place ?? (object.name ? { name: object.name } : undefined)
  return { who, did, ...(what && { what }), ...(changed && { more: changed }), tone: 'plain' }
}

/** By the state of the job, else by the verb. */
const jobDeeds: Record<string, string> = spoken({
  running: 'began',
  awaiting: 'tried',
  succeeded: 'finished',
  partly_succeeded: 'finished a part of',
  failed: 'could not finish',
  canceled: 'canceled',
  create: 'added',
  edit: 'changed the metadata of',
})

/** A job acts for whoever made it. */
function jobWords({ object, verb }: LiveEvent, who: Subject): Words {
  const did = jobDeeds[object.reason ?? verb] ?? verb
  const tone = object.reason === 'failed' ? 'bad' : 'plain'
  return { who, did, what: { name: t('a job'), path: `/jobs/${object.job_id}` }, tone }
}

function deedOf({ object, verb }: LiveEvent, what: string): string {
  return deeds[object.reason === 'restored' ? 'restored' : verb]?.(what) ?? `${verb} ${what}`
}

/**
 * Returns the kind, followed by the object's name if it belongs to a member and has one: `email
 * anna@example.com`, `membership in Guests`.
 */
function thingOf(event: LiveEvent): string {
  const { type } = event.object
  const kind = kindWords[type] ?? type
  if (type === 'member_email') return named(kind, event.object_member_email?.email)
  if (type === 'member_card') return named(kind, cardName(event.object_member_card))
  if (type === 'calendar_day') return t(`${named(kind, event.object_calendar_day?.name)} of the calendar`)
  if (type === 'member_group_association')
    return named(t(`${kind} in`), event.object_member_group?.name, kind)
  return kind
}

function named(kind: string, name: string | null | undefined, otherwise = kind): string {
  return name ? `${kind} ${name}` : otherwise
}

function cardName(card: LiveEvent['object_member_card']): string | null | undefined {
  return card?.name || card?.printed_code || card?.uid
}

function whoOf({ subject, subject_member, subject_user, subject_oauth_application }: LiveEvent): Subject {
  if (subject.member_id)
    return {
      name: subject_member?.name || (subject_member ? t('An unnamed member') : t('A member')),
      path: `/members/${subject.member_id}`,
    }
  if (subject.user_id) return { name: subject_user?.name || subject_user?.email || t('A user') }
  if (subject.oauth_application_id) return { name: subject_oauth_application?.name || t('An application') }
  return { name: 'Gatehouse' }
}

/** Returns the wording of events that have a phrase of their own and no object name. */
function specialWords({ object, subject, verb }: LiveEvent): string | undefined {
  const restored = object.type === 'organization' && restoreWords[object.reason ?? '']
  if (restored) return restored
  if (object.type === 'invitation' && verb === 'use') return t('accepted the invitation')
  if (object.type === 'webhook' && verb === 'use') return t('sent a test event to the webhook')
  const is_self = object.type === 'user' && subject.user_id && object.user_id === subject.user_id
  if (is_self && verb === 'create') return t('joined the organization')
  return is_self && verb === 'delete' ? t('left the organization') : undefined
}

function siteOf({ object, object_site }: LiveEvent): Subject {
  return {
    name: object_site?.name || t('a site'),
    ...(object.site_id && { path: `/sites/${object.site_id}` }),
  }
}

function gadgetOf({ object, object_gadget }: LiveEvent): Subject {
  return {
    name: object_gadget?.name || t('a door'),
    ...(object.gadget_id && { path: `/gadgets/${object.gadget_id}` }),
  }
}

function actionWords(event: LiveEvent): string {
  const { object } = event
  if (object.gadget_action_id === 'open') return t('opened')
  return t(`ran “${nameIn(event, 'actions', object.gadget_action_id)}” on`)
}

type Part = 'actions' | 'states' | 'signals'

/** Returns the name that the gadget gives to its action, state or signal. */
function nameIn({ object_gadget }: LiveEvent, part: Part, id: string | null | undefined): string {
  const parts = (object_gadget as { [K in Part]?: readonly { id: string; name: string }[] } | undefined)?.[
    part
  ]
  return parts?.find(entry => entry.id === id)?.name ?? id ?? ''
}

function isOfMember(type: string): boolean {
  return type.startsWith('member_') && type !== 'member_group'
}

const places = [
  ['member', 'members'],
  ['gadget', 'gadgets'],
  ['device', 'devices'],
  ['site', 'sites'],
  ['member_group', 'groups'],
  ['schedule', 'schedules'],
  ['calendar', 'calendars'],
  ['unlock_rule', 'unlock-rules'],
  ['emergency_plan', 'emergencies/plans'],
  ['emergency', 'emergencies'],
  ['alarm_rule', 'alarms/rules'],
  ['notification_target', 'alarms/rules'],
  ['card', 'cards'],
  ['tag', 'tags'],
] as const

function targetOf(event: LiveEvent): Subject | undefined {
  const own = places.find(([kind]) => kind === event.object.type)
  const [kind, path] =
    own ??
    (isOfMember(event.object.type) ? places[0] : (places.find(([kind]) => event.object[`${kind}_id`]) ?? []))
  if (!kind) return undefined
  const id = event.object[`${kind}_id`]
  const name = kind === 'card' ? cardName(event.object_card) : event[`object_${kind}`]?.name
  // The service leaves out what the role may not see.
  const unnamed = event[`object_${kind}`] ? t('Unnamed') : t('(not shown to your role)')
  return id ? { name: name || unnamed, path: `/${path}/${id}` } : undefined
}
