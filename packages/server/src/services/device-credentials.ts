import { invalid } from '@gatehouse/api'
import type { Row } from '../store/db.ts'
import { logObject } from '../store/write.ts'
import { digest, newSecret } from '../vault.ts'
import type { ActionInput } from './action.ts'
import type { Work } from './behaviour.ts'
import { getObject } from './objects.ts'

/** Issues the connection secret of a device, or replaces it: from then on only the new one works. */
export async function issueCredentials({ work, target, id, readBody }: ActionInput): Promise<Row> {
  return work.db.transaction(async db => {
    const device = await getObject({ ...work, db }, target, id, true)
    readBody()
    if (device.is_deleted) throw invalid('device_id', 'the device is deleted; restore it first')
    if (device.hardware_id === null)
      throw invalid('device_id', 'a virtual device runs inside the service and needs no credentials')
    const secret = newSecret('ghd')
    await storeSecret({ ...work, db }, device, digest(secret))
    await logObject({ ...work, db }, target.resource, 'create', device, { type: 'hardware' })
    return { device_id: device.id, hardware_id: device.hardware_id, secret }
  })
}

/** Without a secret the device can no longer connect. Revoking twice writes no second event. */
export async function revokeCredentials({ work, target, id }: ActionInput): Promise<Row> {
  return work.db.transaction(async db => {
    const device = await getObject({ ...work, db }, target, id, true)
    const revoked = await storeSecret({ ...work, db }, device, null)
    if (revoked) await logObject({ ...work, db }, target.resource, 'delete', device, { type: 'hardware' })
    return device
  })
}

async function storeSecret(work: Work, device: Row, hash: Buffer | null): Promise<boolean> {
  const rows = await work.db.query(
    'UPDATE devices SET secret_hash = $3 WHERE organization_id = $1 AND id = $2 AND secret_hash IS DISTINCT FROM $3 RETURNING id',
    [work.caller.organization_id, device.id, hash],
  )
  return rows.length > 0
}
