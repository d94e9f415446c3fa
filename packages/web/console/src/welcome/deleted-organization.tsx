import { Anchor, Button, Stack, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../language/t.ts'
import { momentsIn } from '../parts/door-time.ts'
import { showFailure } from '../parts/failure.tsx'
import { Name } from '../parts/name.tsx'
import { browserZone } from '../parts/time.tsx'
import { callAccount } from '../session/account.ts'
import { useSession } from '../session/gate.tsx'
import type { Organization } from '../session/session.ts'

/** Replaces the screens of a deleted organization during its 30-day grace period. */
export function DeletedOrganization({
  organization: { id, name, role, due_at },
}: {
  organization: Organization
}) {
  const { csrf_token } = useSession()
  const queries = useQueryClient()
  const [is_busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      await callAccount('POST', `/organizations/${id}/restore`, {}, csrf_token)
      await queries.refetchQueries({ queryKey: ['session'] })
    } catch (error) {
      showFailure(error, t('Could not restore the organization'))
      setBusy(false)
    }
  }
  return (
    <main className="blank">
      <Stack className="empty" align="center" gap="xs" maw={480}>
        <Title order={1} size="h4">
          This organization was deleted
        </Title>
        <div className="soft deleted-text">
          <Name>{name}</Name> and everything in it will be permanently deleted on{' '}
          {due_at && momentsIn(due_at, [browserZone])}. Until then, an owner can restore it.
        </div>
        {role === 'owner' && (
          <Button loading={is_busy} onClick={() => void restore()}>
            Restore organization
          </Button>
        )}
        <Anchor href="/" size="sm">
          Go to your other organizations
        </Anchor>
      </Stack>
    </main>
  )
}
