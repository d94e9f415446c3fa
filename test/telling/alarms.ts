import type { Message, ToldAlarm } from '../../packages/server/src/channels/message.ts'

export const forced: ToldAlarm = {
  id: 'alm_0123456789abcdefghjk',
  type: 'door_forced',
  severity: 'critical',
  place: 'Front door, Madrid',
  started_at: '2026-11-17T08:05:00.000000Z',
  ended_at: null,
  utc_offset: 3600,
}

export function messageOf(parts: Partial<Message> = {}): Message {
  return {
    id: 'ntf_0123456789abcdefghjk',
    organization: { id: 'org_0123456789abcdefghjk', name: 'Hotel <Miramar> & Sons' },
    reason: 'opened',
    alarms: [forced],
    language: 'en',
    url: 'http://localhost:8080/o/org_0123456789abcdefghjk/alarms/alm_0123456789abcdefghjk',
    ...parts,
  }
}
