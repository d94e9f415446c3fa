import type { Refusal } from './api.ts'
import type { Action, Gadget, Home, Site } from './model.ts'
import { wayOf } from './model.ts'
import { say } from './texts.ts'
import { distance, when } from './times.ts'

interface Tried {
  readonly home: Home
  readonly site: Site
  readonly gadget: Gadget
  readonly action: Action
}

/** Explains what went wrong, and what to do next. */
export function explain({ type, args }: Refusal, tried: Tried): string {
  const { home, site } = tried
  switch (args.reason ?? type) {
    case 'not_present':
      return args.distance
        ? say('too_far', { distance: distance(Number(args.distance)), site: site.name })
        : say('no_location')
    case 'door_closed':
      return closedText(site)
    case 'member_not_started':
    case 'association_not_started':
    case 'outside_schedule':
      return laterText(args, site)
    case 'member_ended':
    case 'association_ended':
      return withHelp(say('stay_ended', { when: when(home.ends_at ?? Date.now(), site) }), tried)
    case 'member_suspended':
    case 'credential_suspended':
      return withHelp(say('suspended'), tried)
    case 'hardware_offline':
      return withHelp(say('door_offline'), tried)
    case 'hardware_timeout':
      return say('no_answer')
    case 'no_network':
      return withHelp(say('no_network'), tried, false)
    case 'recovered':
      return say('recovered')
    case 'rate_limited':
      return say('slow_down', { seconds: args.seconds ?? '' })
    default:
      return type === 'permission_denied'
        ? withHelp(say('not_allowed'), tried)
        : withHelp(say('failed'), tried)
  }
}

function laterText({ reason, next_allowed_at }: Refusal['args'], site: Site): string {
  if (!next_allowed_at) return say('not_allowed')
  const key = reason === 'outside_schedule' ? 'opens_at' : 'stay_starts'
  return say(key, { when: when(next_allowed_at, site) })
}

/** A door that is closed for now takes no PIN either. */
export function closedText(site: Site): string {
  return withPhone(say('closed_for_now'), site)
}

/** Adds the alternative: the PIN, or else the phone number to call. */
function withHelp(text: string, { home, site, action }: Tried, may_call = true): string {
  if (home.pins.length > 0 && wayOf(action, 'pin')?.is_allowed) return `${text} ${say('use_pin')}`
  return may_call ? withPhone(text, site) : text
}

function withPhone(text: string, { phone }: Site): string {
  return phone ? `${text} ${say('ask_host', { phone: `\u2066${phone}\u2069` })}` : text
}
