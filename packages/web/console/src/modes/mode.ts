import type { SiteZone } from '@gatehouse-access/api'
import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import { withinSentence } from '../parts/capital.ts'
import { momentAt } from '../parts/door-time.ts'

type Gadget = ItemOf<'gadgets'>
export type Mode = NonNullable<Gadget['mode']>
export type Effective = Mode['effective']

export const modeNames: Record<Effective, string> = {
  controlled: t('Controlled'),
  unlocked: t('Unlocked'),
  lockdown: t('Locked down'),
  evacuation: t('Evacuation'),
}

/** Returns a mode as it stands within a sentence: all but the evacuation are adjectives. */
export function modeWord(mode: Effective): string {
  const name = modeNames[mode]
  return mode === 'evacuation' ? withinSentence(name) : name.toLowerCase()
}

/** The colors of Mantine. */
export const modeColors: Record<Effective, string> = {
  controlled: 'gray',
  unlocked: 'blue',
  lockdown: 'red',
  evacuation: 'orange',
}

export const modesInOrder = ['lockdown', 'evacuation', 'unlocked', 'controlled'] as const

/** What the mode means at the door, for those who do not know the words. */
export const modeMeanings: Record<Effective, string> = {
  controlled: t('Locked. It opens for members who may enter.'),
  unlocked: t('Held open. Everybody can enter.'),
  lockdown: t('Locked. It opens only for members who may enter and are exempt.'),
  evacuation: t('Held open, so that everybody can leave.'),
}

/** Returns `until 18 Nov 2026, 18:00`, by the clock of the site. */
export function untilWords(until: string | null | undefined, zone?: SiteZone): string {
  return until ? t(`until ${momentAt(until, zone)}`) : t('without an end')
}
