import { spoken, t } from '../language/t.ts'
import type { LiveEvent } from '../live/stream.ts'
import type { Subject, Words } from './sentence.ts'

const modes: Record<string, string> = {
  controlled: t('is controlled again'),
  unlocked: t('is unlocked'),
  lockdown: t('is locked down'),
  evacuation: t('is kept open'),
}

const sources: Record<string, string> = {
  fire: t('by the fire alarm'),
  emergency: t('by an emergency'),
  override: t('by hand'),
  unlock_rule: t('by an unlock rule'),
}

/** What somebody set by hand. */
const settings: Record<string, string> = spoken({ unlocked: 'unlocked', controlled: 'locked' })

const fires: Record<string, string> = {
  fire: t('reports a fire'),
  fire_cleared: t('reports that the fire alarm has cleared'),
}

const isBad = new Set(['lockdown', 'evacuation'])

/** Renders events about the modes of doors and what sets them; undefined for all others. */
export function modeWords(event: LiveEvent, who: Subject, place: Subject | undefined): Words | undefined {
  const { object } = event
  const what = place ?? { name: t('a door') }
  if (object.reason === 'mode_ended')
    return { who: what, did: t('follows its schedule again'), tone: 'plain' }
  if (object.type === 'gadget_mode' || object.reason === 'mode_set') return ofDoor(event, who, what)
  if (object.type === 'emergency') return ofEmergency(event, who, what)
  if (object.type === 'unlock_rule') return ofRule(event, who, what)
  const fire = object.type === 'site' && fires[object.reason ?? '']
  if (fire) return { who: what, did: fire, tone: object.reason === 'fire' ? 'bad' : 'plain' }
  return object.reason === 'fire_reset'
    ? { who, did: t('reset the fire alarm of'), what, tone: 'plain' }
    : undefined
}

function ofDoor({ object }: LiveEvent, who: Subject, door: Subject): Words {
  const { mode, source, reason } = object
  if (reason === 'mode_set' && source === 'override')
    return { who, did: settings[mode ?? ''] ?? t('changed the mode of'), what: door, tone: 'plain' }
  if (reason === 'mode_set') return { who, did: t('reset the mode of'), what: door, tone: 'plain' }
  const more = sources[source ?? '']
  return {
    who: door,
    did: modes[mode ?? ''] ?? t(`is now ${mode}`),
    ...(more && { more }),
    tone: isBad.has(mode ?? '') ? 'bad' : 'plain',
  }
}

function ofEmergency({ object, verb }: LiveEvent, who: Subject, what: Subject): Words | undefined {
  const kind = object.is_drill ? t('the drill') : t('the emergency')
  if (verb === 'create') return { who, did: t(`started ${kind}`), what, tone: 'bad' }
  if (object.reason === 'ended') return { who, did: t(`ended ${kind}`), what, tone: 'plain' }
  if (object.reason === 'renewed') return { who, did: t(`renewed ${kind}`), what, tone: 'plain' }
  if (object.reason === 'narrowed') return { who, did: t(`took doors out of ${kind}`), what, tone: 'plain' }
  return undefined
}

function ofRule({ object }: LiveEvent, who: Subject, what: Subject): Words | undefined {
  if (object.reason === 'first_person')
    return { who, did: t('came first for the unlock rule'), what, tone: 'good' }
  return object.reason === 'last_person'
    ? { who, did: t('left last for the unlock rule'), what, tone: 'plain' }
    : undefined
}
