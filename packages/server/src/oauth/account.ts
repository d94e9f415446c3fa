/** The user who authorized, acting for one organization. The engine's account id encodes both. */
export interface Account {
  readonly user_id: string
  readonly organization_id: string
}

export function formatAccount({ user_id, organization_id }: Account): string {
  return `${user_id}.${organization_id}`
}

export function parseAccount(account_id: string | undefined): Account | undefined {
  const [user_id, organization_id] = account_id?.split('.') ?? []
  return user_id && organization_id ? { user_id, organization_id } : undefined
}
