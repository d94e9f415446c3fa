import { useAccountList } from '../data/use-account.ts'
import { useList } from '../data/use-list.ts'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import type { User } from '../users/user.ts'

const roles = [
  { value: 'role owner', label: 'all owners' },
  { value: 'role administrator', label: 'all administrators' },
] as const

/** Everybody whom a rule can name: roles, users and targets, by the key that a form holds. */
export function useRecipients() {
  const { organization } = useApi()
  const users = useAccountList<User>(`/organizations/${organization.id}/users`)
  const targets = useList('notification_targets', { sort: 'name:asc', limit: 100 })
  const people = users.items.map(({ id, name, email }) => ({ value: `user_id ${id}`, label: name || email }))
  const places = targets.items.map(({ id, name, kind }) => ({
    value: `notification_target_id ${id}`,
    label: kind === 'email' ? name : `${kind} ${name}`,
  }))
  const known = new Map([...roles, ...people, ...places].map(({ value, label }) => [value, label]))
  const is_loading = users.is_loading || targets.is_loading
  return {
    is_loading,
    groups: [
      { group: 'Roles, by email', items: [...roles] },
      { group: 'People, as they have chosen', items: people },
      { group: 'Targets', items: places },
    ].filter(({ items }) => items.length > 0),
    /** Those that are gone are told nothing. */
    nameOf: (key: string) => known.get(key) ?? (is_loading ? '…' : t('somebody who is gone')),
  }
}
