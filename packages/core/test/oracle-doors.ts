import { type LooseDoor, type Reason, toMicroseconds } from '../src/index.ts'
import { judge, type OracleQuestion, type OracleRows } from './oracle.ts'
import { judgeMode } from './oracle-modes.ts'

const stageA: (Reason | null)[] = [
  'unknown_credential',
  'credential_deleted',
  'gadget_deleted',
  'member_deleted',
]

/** Like `judge`, with the mode of the door: first what holds it open, then permission, then what it asks for. */
export function judgeAtDoor(rows: OracleRows, anchor: string, question: OracleQuestion): Reason | null {
  const permission = judge(rows, question)
  const gadget = rows.gadgets.find(({ id }) => id === question.gadget_id)
  if (!gadget?.door || stageA.includes(permission)) return permission
  const mode = judgeMode(looseDoor(rows, gadget.id), toMicroseconds(anchor), toMicroseconds(question.at))
  const isExit = gadget.door.exit_action_ids?.includes(question.action_id) ?? false
  const isPassing = isExit || gadget.door.release_action_id === question.action_id
  const isHeld = mode.effective === 'unlocked' || mode.effective === 'evacuation'
  const hasAction = gadget.actions.some(({ id }) => id === question.action_id)
  if (isHeld && isPassing && hasAction) return null
  if (permission !== null || isExit) return permission
  const own = groupsOf(rows, question)
  const missing = mode.needs.find(({ groups }) => !groups.some(group => own.includes(group)))
  return (missing?.reason as Reason | undefined) ?? null
}

const looseDoors = new WeakMap<OracleRows, Map<string, LooseDoor>>()

export function looseDoor(rows: OracleRows, gadget_id: string): LooseDoor {
  const known = looseDoors.get(rows) ?? new Map<string, LooseDoor>()
  looseDoors.set(rows, known)
  const door = known.get(gadget_id) ?? makeDoor(rows, gadget_id)
  known.set(gadget_id, door)
  return door
}

function makeDoor(rows: OracleRows, gadget_id: string): LooseDoor {
  const gadget = rows.gadgets.find(({ id }) => id === gadget_id)
  const site = rows.sites.find(({ id }) => id === gadget?.site_id)
  if (!gadget?.door || !site) throw new Error(`${gadget_id} is no door`)
  return {
    gadget_id,
    site_id: site.id,
    tag_ids: gadget.tag_ids ?? [],
    site: { timezone: site.timezone },
    door: gadget.door,
    fire: site.fire ?? null,
    override: rows.overrides?.find(({ id }) => id === gadget_id) ?? null,
    emergencies: rows.emergencies ?? [],
    rules: (rows.unlock_rules ?? []).map(rule => ({ ...rule, schedule: scheduleOf(rows, rule.schedule_id) })),
  }
}

function scheduleOf(rows: OracleRows, id: string): LooseDoor['rules'][number]['schedule'] {
  return rows.schedules.find(schedule => schedule.id === id) ?? { weekdays: [] }
}

/** The groups that the member is in at the time. */
function groupsOf(rows: OracleRows, { at, credential_id, member_id }: OracleQuestion): string[] {
  const holder = rows.credentials.find(({ id }) => id === credential_id)?.member_id ?? member_id
  const living = rows.groups.filter(({ is_deleted }) => !is_deleted).map(({ id }) => id)
  return rows.associations
    .filter(row => row.member_id === holder && !row.is_deleted)
    .filter(row => (row.starts_at ?? '0') <= at && at < (row.ends_at ?? '9999'))
    .map(row => row.member_group_id)
    .filter(id => living.includes(id))
}
