import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../database/db.ts'
import { digest } from '../vault/vault.ts'

/** A device that has authenticated. */
export interface Identity {
  readonly organization_id: string
  readonly device_id: string
  /** Hash of the presented secret. Null for a virtual device, which runs inside the service. */
  readonly secret_hash: Buffer | null
}

const found = `SELECT d.organization_id, d.id AS device_id, d.hardware_id FROM devices d JOIN organizations o ON o.id = d.organization_id
  WHERE d.secret_hash = $1 AND NOT d.is_deleted AND NOT o.is_deleted`

/** Looks the device up by the digest of its secret, so that timing reveals nothing about the secret. */
export async function authenticateDevice(
  db: Database,
  hardwareId: string,
  secret: string,
): Promise<Identity | undefined> {
  const secret_hash = digest(secret)
  const [row] = await db.query<{ organization_id: string; device_id: string; hardware_id: string }>(found, [
    secret_hash,
  ])
  if (!row || !timingSafeEqual(digest(row.hardware_id), digest(hardwareId))) return undefined
  return { organization_id: row.organization_id, device_id: row.device_id, secret_hash }
}

/** `Basic base64(hardware_id:secret)`. */
export function readCredentials(
  header: string | undefined,
): { hardware_id: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]{1,1000})$/i.exec(header ?? '')?.[1]
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const [, hardware_id, secret] = /^([^:]{1,100}):(.{1,500})$/s.exec(text) ?? []
  return hardware_id === undefined || secret === undefined ? undefined : { hardware_id, secret }
}

/** Returns the devices that may stay connected: secret unchanged, device and organization not deleted. */
export async function findStillValid(db: Database, identities: readonly Identity[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `SELECT d.id FROM jsonb_to_recordset($1::jsonb) AS e(organization_id text, device_id text, secret text)
     JOIN devices d ON d.organization_id = e.organization_id AND d.id = e.device_id
     JOIN organizations o ON o.id = d.organization_id
     WHERE NOT d.is_deleted AND NOT o.is_deleted AND d.secret_hash IS NOT DISTINCT FROM decode(e.secret, 'hex')`,
    [
      identities.map(({ organization_id, device_id, secret_hash }) => ({
        organization_id,
        device_id,
        secret: secret_hash?.toString('hex') ?? null,
      })),
    ],
  )
  return new Set(rows.map(row => row.id))
}
