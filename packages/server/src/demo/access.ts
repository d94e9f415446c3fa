import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { issueAccessToken } from '../services/access-tokens.ts'

export interface DemoAccess {
  readonly email: string
  readonly password: string
  readonly token: string
}

export const demoEmail = 'demo@gatehouse.example'

/** The demo password is random per data folder; the database holds only its hash. */
export async function makeDemoPassword({ config }: Context): Promise<string> {
  const password = randomBytes(9).toString('base64url')
  await writeFile(passwordFile(config.data_dir), `${password}\n`, { mode: 0o600 })
  return password
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'demo-password')
}

/** What the start message shows; undefined when this database was not seeded with demo data. */
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
  }
}
