import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataDir } from '../config/data-dir.ts'
import { issueAccessToken } from '../services/applications/access-tokens.ts'
import { revealLink } from '../services/members/member-magic-links.ts'
import type { Context } from '../services/objects/context.ts'

export interface DemoAccess {
  readonly email: string
  readonly password: string
  readonly token: string
  /** Opens the guest page. Undefined if every such guest was deleted. */
  readonly guest_link: string | undefined
}

export const demoEmail = 'demo@gatehouse.example'

/** Creates a random password per data folder. The database holds only its hash. */
export async function makeDemoPassword({ config }: Context): Promise<string> {
  const password = randomBytes(9).toString('base64url')
  makeDataDir(config.data_dir)
  await writeFile(passwordFile(config.data_dir), `${password}\n`, { mode: 0o600 })
  return password
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'demo-password')
}

/** Returns what the start message shows, or undefined if the database has no demo data. */
export async function readDemoAccess(context: Context): Promise<DemoAccess | undefined> {
  const [demo] = await context.db.query<{ organization_id: string; oauth_application_id: string }>(
    `SELECT i.organization_id, i.oauth_application_id FROM installations i JOIN organization_users ou USING (organization_id)
     JOIN users u ON u.id = ou.user_id WHERE u.email_key = $1 ORDER BY i.created_at, i.organization_id LIMIT 1`,
    [demoEmail],
  )
  if (!demo) return undefined
  const password = await readFile(passwordFile(context.config.data_dir), 'utf8').catch(
    () => '(set on the first start)',
  )
  return {
    email: demoEmail,
    password: password.trim(),
    token: await issueAccessToken(context, { ...demo, scopes: ['full_read_write'] }),
    guest_link: await findGuestLink(context, demo.organization_id),
  }
}

async function findGuestLink(context: Context, organization_id: string): Promise<string | undefined> {
  const [link] = await context.db.query<{ id: string; secret_ciphertext: Uint8Array }>(
    `SELECT l.id, l.secret_ciphertext FROM member_magic_links l
     JOIN members m ON m.organization_id = l.organization_id AND m.id = l.member_id
     WHERE l.organization_id = $1 AND NOT l.is_deleted AND NOT m.is_deleted AND coalesce(m.starts_at <= $2, true)
       AND coalesce(m.ends_at > $2, true) ORDER BY m.ends_at DESC NULLS FIRST, l.created_at LIMIT 1`,
    [organization_id, context.clock.now()],
  )
  return link && revealLink(context, link)
}
