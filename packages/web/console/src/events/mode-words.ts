import type { LiveEvent } from '../live/stream.ts'
import type { Subject, Words } from './sentence.ts'

const modes: Record<string, string> = {
  controlled: 'is controlled again',
  unlocked: 'is unlocked',
  lockdown: 'is locked down',
  evacuation: 'is held open',
}

const sources: Record<string, string> = {
  fire: 'by the fire alarm',
  emergency: 'by an emergency',
  override: 'by hand',
  unlock_rule: 'by an unlock rule',
}

/** What somebody set by hand. */
const settings: Record<string, string> = { unlocked: 'unlocked', controlled: 'locked' }

const fires: Record<string, string> = {
  fire: 'reports a fire',
  fire_cleared: 'reports that the fire alarm has cleared',
}

const isBad = new Set(['lockdown', 'evacuation'])

/** Renders events about the modes of doors and what sets them; undefined for all others. */
export function modeWords(event: LiveEvent, who: Subject, place: Subject | undefined): Words | undefined {
  const { object } = event
  const what = place ?? { name: 'a door' }
  if (object.reason === 'mode_ended') return { who: what, did: 'follows its schedule again', tone: 'plain' }
  if (object.type === 'gadget_mode' || object.reason === 'mode_set') return ofDoor(event, who, what)
  if (object.type === 'emergency') return ofEmergency(event, who, what)
  if (object.type === 'unlock_rule') return ofRule(event, who, what)
  const fire = object.type === 'site' && fires[object.reason ?? '']
  if (fire) return { who: what, did: fire, tone: object.reason === 'fire' ? 'bad' : 'plain' }
  return object.reason === 'fire_reset'
    ? { who, did: 'reset the fire alarm of', what, tone: 'plain' }
    : undefined
}

function ofDoor({ object }: LiveEvent, who: Subject, door: Subject): Words {
  const { mode, source, reason } = object
  if (reason === 'mode_set' && source === 'override')
    return { who, did: settings[mode ?? ''] ?? 'changed the mode of', what: door, tone: 'plain' }
  if (reason === 'mode_set') return { who, did: 'reset the mode of', what: door, tone: 'plain' }
  const more = sources[source ?? '']
  return {
    who: door,
    did: modes[mode ?? ''] ?? `is now ${mode}`,
    ...(more && { more }),
    tone: isBad.has(mode ?? '') ? 'bad' : 'plain',
  }
}

function ofEmergency({ object, verb }: LiveEvent, who: Subject, what: Subject): Words | undefined {
  const kind = object.is_drill ? 'the drill' : 'the emergency'
  if (verb === 'create') return { who, did: `started ${kind}`, what, tone: 'bad' }
  if (object.reason === 'ended') return { who, did: `ended ${kind}`, what, tone: 'plain' }
  if (object.reason === 'renewed') return { who, did: `renewed ${kind}`, what, tone: 'plain' }
  if (object.reason === 'narrowed') return { who, did: `took doors out of ${kind}`, what, tone: 'plain' }
  return undefined
}

function ofRule({ object }: LiveEvent, who: Subject, what: Subject): Words | undefined {
  if (object.reason === 'first_person')
    return { who, did: 'came first for the unlock rule', what, tone: 'good' }
  return object.reason === 'last_person'
    ? { who, did: 'left last for the unlock rule', what, tone: 'plain' }
    : undefined
}
