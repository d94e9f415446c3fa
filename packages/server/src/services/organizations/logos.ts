import type { Picture } from '../../mail/letter.ts'
import { digestFor } from '../../vault/contexts.ts'
import type { Context } from '../objects/context.ts'

type Needs = Pick<Context, 'config' | 'vault'>

/** The signed URL cannot be made up, so it tells nobody whether an organization exists. It changes with the logo. */
export function logoUrl(needs: Needs, organization_id: string, logo_hash: string): string {
  const [signature] = signatures(needs, organization_id, logo_hash)
  return `${needs.config.public_url}/member/v1/logos/${organization_id}?v=${signature}`
}

/** Returns what has a logo with the logo's URL instead of its hash. */
export function withLogo<T extends { readonly id: string; readonly logo_hash: string | null }>(
  needs: Needs,
  { logo_hash, ...held }: T,
): Omit<T, 'logo_hash'> & { logo_url: string | null } {
  return { ...held, logo_url: logo_hash && logoUrl(needs, held.id, logo_hash) }
}

function signatures({ vault }: Needs, organization_id: string, logo_hash: string): string[] {
  return vault
    .digests(`${organization_id} ${logo_hash}`, digestFor.logo)
    .map(hash => hash.toString('base64url').slice(0, 22))
}

/** Returns the logo if the signature matches. Reads the picture only then. */
export async function findSignedLogo(
  context: Needs & Pick<Context, 'db'>,
  organization_id: string,
  signature: string,
): Promise<Picture | undefined> {
  const [held] = await context.db.query<{ logo_hash: string | null }>(
    'SELECT logo_hash FROM organizations WHERE id = $1 AND NOT is_deleted',
    [organization_id],
  )
  if (!held?.logo_hash || !signatures(context, organization_id, held.logo_hash).includes(signature))
    return undefined
  const [row] = await context.db.query<{ logo: Uint8Array | null; logo_type: string | null }>(
    'SELECT logo, logo_type FROM organizations WHERE id = $1',
    [organization_id],
  )
  return row?.logo && row.logo_type ? { type: row.logo_type, bytes: Buffer.from(row.logo) } : undefined
}
