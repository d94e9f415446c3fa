import { tokenScopes } from '@gatehouse-access/api'

export const scopes = [...tokenScopes, 'offline'] as const
