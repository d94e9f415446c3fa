import type { Database } from '../database/db.ts'
import { onOneLine } from '../texts/fill-gaps.ts'
import { type Brand, ownBrand } from './letter.ts'

/** The name and logo of an organization, for the top of its mails. */
export async function findBrand(db: Database, organization_id: string): Promise<Brand> {
  const [row] = await db.query<{ name: string; logo: Uint8Array | null; logo_type: string | null }>(
    'SELECT name, logo, logo_type FROM organizations WHERE id = $1',
    [organization_id],
  )
  if (!row) return ownBrand
  const { name, logo, logo_type } = row
  return {
    name: onOneLine(name),
    ...(logo && logo_type && { logo: { type: logo_type, bytes: Buffer.from(logo) } }),
  }
}
