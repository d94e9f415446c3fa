import type { SliceMember, SliceRows } from '../../packages/api/src/index.ts'
import { capabilitiesOf } from '../../packages/api/src/index.ts'
import { dateOfDay } from '../../packages/core/src/index.ts'
import { keyedHash, openSqliteStorage } from '../../packages/edge/src/index.ts'
import {
  closedMember,
  closedSchedule,
  deviceId,
  groups,
  idOf,
  key,
  members,
  pinOf,
  rulesOfGroup,
} from './size.ts'

const gadgets = 8
const part = 1000

/** Fills a controller's disk with 250,000 credentials and 10,000 rules. */
export async function fill(path: string): Promise<void> {
  const storage = openSqliteStorage(path, 'journal-of-bench')
  await storage.write([
    { type: 'stage', generation: 1 },
    { type: 'stage_rows', generation: 1, put: places() },
  ])
  for (let start = 0; start < members; start += part) {
    const rows = Array.from({ length: part }, (_, index) => memberOf(start + index))
    await storage.write([{ type: 'stage_rows', generation: 1, put: { members: rows } }])
  }
  await storage.write([{ type: 'stage_rows', generation: 1, put: { members: [closedOut()] } }])
  const policy = { generation: 1, version: 1, hash: '', key: key.toString('base64url'), pass_keys: [] }
  await storage.write([
    { type: 'adopt', policy },
    { type: 'note', notes: { device_id: deviceId } },
  ])
  await storage.close()
}

function places(): SliceRows {
  const site_id = idOf('site', 1)
  const always = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] }))
  const input_rules = [{ code: '', gadget_id: idOf('gad', 0), action_id: 'open' }]
  return {
    sites: [{ id: site_id, timezone: 'Europe/Madrid' }],
    devices: [{ id: deviceId, site_id, capabilities: capabilitiesOf('controller'), input_rules }],
    gadgets: Array.from({ length: gadgets }, (_, index) => ({
      id: idOf('gad', index),
      site_id,
      device_id: deviceId,
      actions: [{ id: 'open' }],
      states: [],
      signals: [],
    })),
    schedules: [
      { id: idOf('sch', 1), weekdays: always },
      { id: closedSchedule, weekdays: always, exceptions: nextDays(365) },
    ],
    groups: [
      ...Array.from({ length: groups }, (_, group) => ({
        id: idOf('mg', group),
        permissions: Array.from({ length: rulesOfGroup }, (_, rule_index) => ruleOf(group, rule_index)),
      })),
      {
        id: idOf('mg', groups),
        permissions: [{ gadget_id: idOf('gad', 0), rule_index: 0, schedule_id: closedSchedule }],
      },
    ],
  }
}

function nextDays(count: number) {
  const today = Math.floor(Date.now() / 86_400_000)
  return Array.from({ length: count }, (_, index) => ({
    starts_on: dateOfDay(today - 1 + index),
    ranges: [],
  }))
}

/** Only the last rule of every second group applies to the first door. */
function ruleOf(group: number, rule_index: number) {
  const isDoor = rule_index === rulesOfGroup - 1 && group % 2 === 0
  const gadget_id = idOf('gad', isDoor ? 0 : 1 + (rule_index % (gadgets - 1)))
  return { gadget_id, rule_index, schedule_id: idOf('sch', 1) }
}

function memberOf(member: number): SliceMember {
  const uid = (0x04000000 + member).toString(16).toUpperCase().padStart(8, '0')
  return {
    id: idOf('mem', member),
    starts_at: '2020-01-01T00:00:00.000000Z',
    associations: [{ id: idOf('mga', member), member_group_id: idOf('mg', member % groups) }],
    credentials: [
      { id: idOf('mp', member), kind: 'pin', hash: keyedHash(key, 'pin', pinOf(member)) },
      { id: idOf('mc', member), kind: 'card', hash: keyedHash(key, 'card', uid) },
    ],
  }
}

function closedOut(): SliceMember {
  const association = { id: idOf('mga', members), member_group_id: idOf('mg', groups) }
  return { id: closedMember, associations: [association], credentials: [] }
}
