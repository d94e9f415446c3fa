import { Box, Radio, Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
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

/** Offers the owner role only to owners. Sites are chosen right below the role that they limit, where they are seen. */
export function RolePick(props: Props) {
  const { organization } = useApi()
  const roles = (Object.keys(roleWords) as Role[]).filter(
    role => role !== 'owner' || organization.role === 'owner',
  )
  const { value, onChange } = props
  return (
    <Radio.Group
      label="Role"
      value={value.role}
      onChange={role => onChange({ ...value, role: role as Role })}
    >
      <Stack gap={6} mt={4}>
        <Text size="xs" c="dimmed">
          For the whole organization
        </Text>
        {roles.filter(role => !isSiteRole(role)).map(offer)}
        <Text size="xs" c="dimmed" mt={6}>
          For all sites, or those that you choose
        </Text>
        {roles.filter(isSiteRole).map(role => (
          <Fragment key={role}>
            {offer(role)}
            {role === value.role && <SitesOf {...props} />}
          </Fragment>
        ))}
      </Stack>
    </Radio.Group>
  )
}

function offer(role: Role) {
  return <Radio key={role} value={role} label={roleWords[role][0]} description={roleWords[role][1]} />
}

function SitesOf({ value, error, onChange }: Props) {
  return (
    <Box pl={32} pb={6}>
      <PickMany
        plural="sites"
        label="Sites"
        description="None chosen: all sites, also those that are added later"
        placeholder={value.site_ids.length === 0 ? 'All sites' : ''}
        value={value.site_ids}
        error={error}
        onChange={site_ids => onChange({ ...value, site_ids })}
      />
    </Box>
  )
}

/** As the service takes it. */
export function positionBody({ role, site_ids }: Position): object {
  return { role, ...(isSiteRole(role) && site_ids.length > 0 && { site_ids }) }
}
