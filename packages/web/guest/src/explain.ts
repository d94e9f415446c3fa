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

interface Unreached {
  readonly home: Home
  readonly site: Site
  readonly actions: readonly Action[]
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
      return [say('door_offline'), ...otherWays({ ...tried, actions: [tried.action] })].join(' ')
    case 'hardware_timeout':
      return say('no_answer')
    case 'no_network':
      return [say('no_network'), ...waysAtDoor(home, [tried.action])].join(' ')
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

/** How to get in where the service does not reach the door: at the door, or by whoever answers the phone. */
export function otherWays({ home, site, actions }: Unreached): string[] {
  const ways = waysAtDoor(home, actions)
  return takesPin(home, actions) || !site.phone ? ways : [...ways, callText(site.phone)]
}

/** By PIN, or else by card: the page knows of no cards. */
export function waysAtDoor(home: Home, actions: readonly Action[]): string[] {
  if (takesPin(home, actions)) return [say('use_pin')]
  return actions.some(action => wayOf(action, 'card')?.is_allowed) ? [say('card_works')] : []
}

function takesPin({ pins }: Home, actions: readonly Action[]): boolean {
  return pins.length > 0 && actions.some(action => wayOf(action, 'pin')?.is_allowed)
}

/** Adds the alternative: the PIN, or else the phone number to call. */
function withHelp(text: string, { home, site, action }: Tried): string {
  return takesPin(home, [action]) ? `${text} ${say('use_pin')}` : withPhone(text, site)
}

function withPhone(text: string, { phone }: Site): string {
  return phone ? `${text} ${callText(phone)}` : text
}

function callText(phone: string): string {
  return say('ask_host', { phone: `\u2066${phone}\u2069` })
}
