import { Radio, Stack } from '@mantine/core'
import type { Role } from '../session/session.ts'
import { useApi } from '../session/use-api.ts'
import { roleWords } from './role-words.ts'

/** Offers the owner role only to owners. */
export function RolePick({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const { organization } = useApi()
  const roles = (Object.keys(roleWords) as Role[]).filter(
    role => role !== 'owner' || organization.role === 'owner',
  )
  return (
    <Radio.Group label="Role" value={value} onChange={role => onChange(role as Role)}>
      <Stack gap={6} mt={6}>
        {roles.map(role => (
          <Radio key={role} value={role} label={roleWords[role][0]} description={roleWords[role][1]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
