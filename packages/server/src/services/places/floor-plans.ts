import { hash } from 'node:crypto'
import { invalid, largestFloorPlan } from '@gatehouse-access/api'
import type { Picture } from '../../mail/letter.ts'
import { updateObject } from '../../store/write.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'
import { readPicture } from '../objects/read-picture.ts'

/** `GET /sites/{id}/floor_plan` */
export async function showFloorPlan({ work, target, id }: InputOf<'site', 'floor_plan'>) {
  await getObject(work, target, id)
  const [row] = await work.db.query<{ floor_plan: Uint8Array | null; floor_plan_type: string | null }>(
    'SELECT floor_plan, floor_plan_type FROM sites WHERE organization_id = $1 AND id = $2',
    [work.caller.organization_id, id],
  )
  if (!row?.floor_plan) return { image: null }
  return {
    image: `data:${row.floor_plan_type};base64,${Buffer.from(row.floor_plan).toString('base64')}`,
  }
}

/** `POST /sites/{id}/floor_plan` */
export function setFloorPlan({ work, target, id, readBody }: InputOf<'site', 'set_floor_plan'>) {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const site = await getObject(inner, target, id, true)
    const { image } = readBody()
    if (image === undefined) throw invalid('image', 'image is required; null removes the floor plan')
    if (site.is_deleted) throw invalid('is_deleted', `the site ${id} is deleted; restore it first`)
    const picture = image === null ? null : readPicture('image', image, largestFloorPlan)
    const floor_plan_hash = picture && hash('sha256', picture.bytes, 'hex')
    if (floor_plan_hash === site.floor_plan_hash) return site
    await store(inner, id, picture)
    return updateObject(inner, target.resource, site, { floor_plan_hash })
  })
}

async function store({ db, caller, context }: Work, id: string, picture: Picture | null): Promise<void> {
  const key = [caller.organization_id, id]
  const [before] = await db.query<{ bytes: number | null }>(
    'SELECT octet_length(floor_plan) AS bytes FROM sites WHERE organization_id = $1 AND id = $2',
    key,
  )
  const more = (picture?.bytes.length ?? 0) - (before?.bytes ?? 0)
  if (more > 0) await context.quotas.take(db, 'floor_plan_bytes', [caller.organization_id], more)
  await db.query(
    'UPDATE sites SET floor_plan = $3, floor_plan_type = $4 WHERE organization_id = $1 AND id = $2',
    [...key, picture?.bytes ?? null, picture?.type ?? null],
  )
}
