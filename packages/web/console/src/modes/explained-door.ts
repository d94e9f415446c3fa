import type { Explanation, SiteZone } from '@gatehouse-access/api'
import { t } from '../language/t.ts'
import { type Effective, untilWords } from './mode.ts'

type ExplainedDoor = NonNullable<Explanation['door']>

const causes: Record<ExplainedDoor['source'], string> = {
  default: '',
  unlock_rule: t(' by an unlock rule'),
  override: t(' by hand'),
  emergency: t(' by an emergency'),
  fire: t(' by the fire alarm'),
}

/**
 * Says what the door was, if that is not what doors usually are: `The door is locked down by an emergency.` Empty
 * otherwise.
 */
export function doorSentence(door: ExplainedDoor | null | undefined, zone?: SiteZone): string {
  if (!door || door.mode === 'controlled') return ''
  const { mode } = door
  const until = door.until ? `, ${untilWords(door.until, zone)}` : ''
  return states[mode](`${causes[door.source]}${until}`)
}

const states: Record<Exclude<Effective, 'controlled'>, (more: string) => string> = {
  unlocked: more => t(`The door is unlocked${more}.`),
  lockdown: more => t(`The door is locked down${more}.`),
  evacuation: more => t(`The door is held open${more}.`),
}
