import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { t } from '../language/t.ts'

export type Erasure = ObjectOf<Resources['erasure']>

/** Returns how far an erasure is, and for how many devices it waits. */
export function stateSentence(state: Erasure['state'], left: number): string {
  switch (state) {
    case 'scheduled':
      return t('The member will be erased.')
    case 'blocked':
      return t('A legal hold covers the member. The erasure goes on by itself when the hold ends.')
    case 'running':
      return t('The member is being erased.')
    case 'waiting':
      return left === 0
        ? t('All devices have forgotten the member. The erasure ends in a moment.')
        : t(
            `Done but for ${left} ${left === 1 ? 'device' : 'devices'} that still ${left === 1 ? 'has' : 'have'} to forget the member.`,
          )
    case 'done':
      return t('The member was erased.')
    case 'canceled':
      return t('The erasure was canceled.')
  }
}

export const erasureStates: Readonly<Record<Erasure['state'], string>> = {
  scheduled: t('Planned'),
  running: t('Running'),
  waiting: t('Waiting for devices'),
  done: 'Done',
  canceled: t('Canceled'),
  blocked: t('Blocked by a hold'),
}

export const erasureReasons: Readonly<Record<Erasure['reason'], string>> = {
  request: t('The member asked'),
  retention: t('Its time was over'),
  admin: t('An administrator decided'),
}
