import type { StandingRule } from '../access/standing.ts'
import type { InstalledApplication } from '../applications/installed-application.ts'
import { useAccountList } from '../data/use-account.ts'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import type { User } from '../users/user.ts'

/** Returns how to name whoever gave somebody access. */
export function useGranters(): (by: StandingRule['granted_by']) => string {
  const { organization } = useApi()
  const users = useAccountList<User>(`/organizations/${organization.id}/users`)
  const applications = useAccountList<InstalledApplication>(`/organizations/${organization.id}/installations`)
  return by => {
    if (!by) return '–'
    const { user_id, oauth_application_id } = by
    const user = users.items.find(({ id }) => id === user_id)
    const application = applications.items.find(held => held.oauth_application_id === oauth_application_id)
    if (user_id) return user?.name ?? user?.email ?? user_id
    return oauth_application_id ? (application?.name ?? oauth_application_id) : t('Gatehouse')
  }
}
