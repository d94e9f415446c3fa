import type { ObjectOf, Resources } from '@gatehouse-access/api'

export type Erasure = ObjectOf<Resources['erasure']>

/** Returns how far an erasure is. */
export function stateSentence({ state, counts }: Pick<Erasure, 'state' | 'counts'>): string {
  switch (state) {
    case 'scheduled':
      return 'The member will be erased.'
    case 'blocked':
      return 'A legal hold covers the member. The erasure goes on by itself when the hold ends.'
    case 'running':
      return 'The member is being erased.'
    case 'waiting': {
      const left = counts.devices - counts.devices_done
      return `Done but for ${left} ${left === 1 ? 'device' : 'devices'} that still ${left === 1 ? 'has' : 'have'} to forget the member.`
    }
    case 'done':
      return 'The member was erased.'
    case 'canceled':
      return 'The erasure was canceled.'
  }
}

export const erasureStates: Readonly<Record<Erasure['state'], string>> = {
  scheduled: 'Planned',
  running: 'Running',
  waiting: 'Waiting for devices',
  done: 'Done',
  canceled: 'Canceled',
  blocked: 'Blocked by a hold',
}

export const erasureReasons: Readonly<Record<Erasure['reason'], string>> = {
  request: 'The member asked',
  retention: 'Its time was over',
  admin: 'An administrator decided',
}
