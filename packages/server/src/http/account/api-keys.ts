import { choice, list, nameText, nullable, required, timestamp, tokenScopes } from '@gatehouse-access/api'
import { requireRecent } from '../../services/accounts/admission.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../../services/applications/api-keys.ts'
import { idOf } from '../kit/path-and-query.ts'
import { changeIn, readBody, requireMember, type Visit } from './visit.ts'

export async function getApiKeys(visit: Visit): Promise<object> {
  await requireMember(visit, 'administrator')
  return { data: await listApiKeys(visit.context.db, idOf(visit, 'organization_id')) }
}

export function createKey(visit: Visit): Promise<object> {
  const { name, scopes, expires_at } = readBody(visit, {
    name: required(nameText, 'What the key is for. Events name it.'),
    scopes: required(
      list(choice(...tokenScopes), { min: 1, max: tokenScopes.length, unique: true }),
      'What it can do.',
    ),
    expires_at: nullable(timestamp, 'When it ends. Null: when it is revoked.'),
  })
  requireRecent(visit.context, visit.session)
  return changeIn(visit, 'administrator', work =>
    createApiKey(work, { name, scopes, expires_at: expires_at ?? null }),
  )
}

export async function deleteKey(visit: Visit): Promise<object> {
  await changeIn(visit, 'administrator', work => revokeApiKey(work, idOf(visit, 'api_key_id')))
  return {}
}
