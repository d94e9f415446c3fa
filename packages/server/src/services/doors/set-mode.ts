import { invalid, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import type { OverrideRow } from '@gatehouse-access/core'
import { logObject } from '../../store/write.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'
import { checkUntil } from './until.ts'

type Gadget = StoredOf<Resources['gadget']>
type Input = InputOf<'gadget', 'mode'>
type Body = ReturnType<Input['readBody']>

/** `POST /gadgets/{id}/mode` */
export function setMode({ work, target, id, readBody }: Input): Promise<Gadget> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const gadget = await getObject(inner, target, id, true)
    const body = readBody()
    checkGadget(gadget, body.mode)
    if (body.mode === 'scheduled') await removeOverride(inner, gadget, body)
    else await putOverride(inner, gadget, { ...body, mode: body.mode })
    return gadget
  })
}

function checkGadget({ door, id, is_deleted }: Gadget, mode: Body['mode']): void {
  if (is_deleted) throw invalid('is_deleted', `the gadget ${id} is deleted; restore it first`)
  if (!door) throw invalid('mode', `mode: the gadget ${id} has no door, so it has no mode`)
  if (mode === 'unlocked' && door.hold_action_id == null)
    throw invalid(
      'mode',
      `mode: the gadget ${id} cannot be held open, because its door has no hold_action_id`,
    )
}

/** Gives the door back to its unlock rules. Without an override, nothing changes. */
async function removeOverride(work: Work, gadget: Gadget, { lasts, until }: Body): Promise<void> {
  const extra = lasts === undefined ? (until === undefined ? undefined : 'until') : 'lasts'
  if (extra) throw invalid(extra, `${extra} must be absent when mode is scheduled`)
  const removed = await work.db.query(
    'UPDATE overrides SET is_deleted = true WHERE organization_id = $1 AND id = $2 AND NOT is_deleted RETURNING 1',
    [work.caller.organization_id, gadget.id],
  )
  if (removed.length > 0) await logObject(work, resources.gadget, 'edit', gadget, { reason: 'mode_set' })
}

type Wanted = Body & Pick<OverrideRow, 'mode'>

async function putOverride(work: Work, gadget: Gadget, body: Wanted): Promise<void> {
  const { caller, db, now } = work
  const lasts = await lengthOf(work, gadget, body)
  await db.query(
    `INSERT INTO overrides (organization_id, id, mode, lasts, until, set_at, set_by, reason, is_deleted) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, false)
     ON CONFLICT (organization_id, id) DO UPDATE SET mode = excluded.mode, lasts = excluded.lasts, until = excluded.until,
       set_at = excluded.set_at, set_by = excluded.set_by, reason = excluded.reason, is_deleted = false`,
    [
      caller.organization_id,
      gadget.id,
      body.mode,
      lasts,
      body.until ?? null,
      now,
      caller.subject(),
      body.reason ?? null,
    ],
  )
  const { mode } = body
  await logObject(work, resources.gadget, 'edit', gadget, { reason: 'mode_set', mode, source: 'override' })
}

/** Doors are forgotten open, so a door without a rule that locks it again is held open only if somebody says how long. */
async function lengthOf(
  work: Work,
  { id }: Gadget,
  { lasts, mode, until }: Wanted,
): Promise<OverrideRow['lasts']> {
  if (lasts === 'until' || (lasts === undefined && until !== undefined)) {
    if (until === undefined) throw invalid('until', 'until is required when lasts is until')
    checkUntil('until', until, work.now)
    return 'until'
  }
  if (until !== undefined) throw invalid('until', `until must be absent when lasts is ${lasts}`)
  if (lasts === 'indefinitely') return lasts
  if (await hasRule(work, id)) return 'until_turn'
  if (lasts === 'until_turn')
    throw invalid('lasts', `lasts: no unlock rule has the gadget ${id}, so there is no turn to wait for`)
  if (mode === 'unlocked')
    throw invalid(
      'until',
      `until is required: no unlock rule would lock the gadget ${id} again; to hold it open for good, say "lasts": "indefinitely"`,
    )
  return 'indefinitely'
}

async function hasRule({ caller, db }: Work, gadgetId: string): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 FROM unlock_rules WHERE organization_id = $1 AND NOT is_deleted AND is_enabled AND gadget_ids @> ARRAY[$2] LIMIT 1',
    [caller.organization_id, gadgetId],
  )
  return rows.length > 0
}
