import { Radio, Stack } from '@mantine/core'
import { PickMany } from '../form/pick.tsx'
import { isSiteRole, type Role } from '../session/session.ts'
import { useApi } from '../session/use-api.ts'
import { roleWords } from './role-words.ts'

/** A role, and the sites that it is limited to; none chosen: all of them. */
export interface Position {
  readonly role: Role
  readonly site_ids: readonly string[]
}

interface Props {
  readonly value: Position
  readonly error?: string | undefined
  readonly onChange: (position: Position) => void
}

/** Offers the owner role only to owners, and sites only for roles that can be limited to some. */
export function RolePick({ value, error, onChange }: Props) {
  const { organization } = useApi()
  const roles = (Object.keys(roleWords) as Role[]).filter(
    role => role !== 'owner' || organization.role === 'owner',
  )
  return (
    <>
      <Radio.Group
        label="Role"
        value={value.role}
        onChange={role => onChange({ ...value, role: role as Role })}
      >
        <Stack gap={6} mt={6}>
          {roles.map(role => (
            <Radio key={role} value={role} label={roleWords[role][0]} description={roleWords[role][1]} />
          ))}
        </Stack>
      </Radio.Group>
      {isSiteRole(value.role) && (
        <PickMany
          plural="sites"
          label="Sites"
          description="None chosen: all sites, also those that are added later"
          placeholder={value.site_ids.length === 0 ? 'All sites' : ''}
          value={value.site_ids}
          error={error}
          onChange={site_ids => onChange({ ...value, site_ids })}
        />
      )}
    </>
  )
}

/** As the service takes it. */
export function positionBody({ role, site_ids }: Position): object {
  return { role, ...(isSiteRole(role) && site_ids.length > 0 && { site_ids }) }
}
