import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../services/objects/context.ts'
import { digest } from '../vault/vault.ts'

type Needs = Pick<Context, 'db'>

const patience = 2000
const pause = 10

/** Returns the stored answer. Waits for it, since the request that creates it may still be running. */
export async function findAnswer(
  { db }: Needs,
  token: string,
  client_id: string,
): Promise<object | undefined> {
  for (const end = performance.now() + patience; performance.now() < end; await sleep(pause)) {
    const [row] = await db.query<{ answer: Uint8Array | null }>(
      `SELECT answer FROM oauth_artifacts WHERE kind = 'RefreshToken' AND id_hash = $1 AND oauth_application_id = $2`,
      [digest(token), client_id],
    )
    if (!row) return undefined
    if (row.answer) return JSON.parse(open(token, Buffer.from(row.answer)))
  }
  return undefined
}

function keyOf(token: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', token, '', 'gatehouse refresh answer', 32))
}

/**
 * Encrypts the answer of a refresh token with a key derived from the token itself. The token's owner can ask
 * again if the answer was lost, and a database dump reveals nothing.
 */
export function seal(token: string, text: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(token), iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

function open(token: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(token), sealed.subarray(0, 12), {
    authTagLength: 16,
  })
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}
