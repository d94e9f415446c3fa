import { changesSomething } from '@gatehouse-access/api'
import { Alert, Checkbox, Stack } from '@mantine/core'
import { useAccount } from '../data/use-account.ts'
import { Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import type { User } from './user.ts'

interface OwnApplication {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
}

interface Props {
  readonly user: User
  readonly is_only_writing?: boolean
  readonly kept: readonly string[]
  readonly onKeep: (kept: string[]) => void
}

/**
 * A user who leaves also loses their own applications. An owner can keep the applications they tick, and no
 * others.
 */
export function OwnApplications({ user, is_only_writing, kept, onKeep }: Props) {
  const { organization } = useApi()
  const path = `/organizations/${organization.id}/users/${user.id}/applications`
  const { data } = useAccount<{ data: OwnApplication[] }>(path)
  const ending = data?.data.filter(({ scopes }) => !is_only_writing || changesSomething(scopes))
  if (!ending?.length) return null
  return (
    <Alert color="yellow" mt="sm" title="This user’s own applications lose access">
      {organization.role === 'owner'
        ? 'Their tokens stop working and their webhooks are deleted. Select those to keep:'
        : 'Their tokens stop working and their webhooks are deleted. Only an owner can keep them.'}
      <Stack gap={6} mt="xs">
        {ending.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={<Name>{name}</Name>}
            disabled={organization.role !== 'owner'}
            checked={kept.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              onKeep(checked ? [...kept, id] : kept.filter(one => one !== id))
            }
          />
        ))}
      </Stack>
    </Alert>
  )
}
