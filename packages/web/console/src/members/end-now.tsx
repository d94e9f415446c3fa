import { answeredAt } from '@gatehouse-access/sdk'
import { Button } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { useNow } from '../parts/time.tsx'
import { showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'
import type { Member } from './member.ts'
import { standingOf } from './validity.ts'

/** Ends the access of a member at once, with an undo. The member stays. Hidden where there is nothing to end. */
export function EndNow({ member }: { member: Member }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  const standing = standingOf(member, useNow(10_000))
  if (!may_write || (standing !== 'active' && standing !== 'suspended')) return null
  const set = async (ends_at: string | null) => {
    await client.members.edit(member.id, { ends_at })
    refresh('members')
  }
  const end = async () => {
    try {
      // Doors admit by the clock of the service, and that of this machine may be wrong.
      await set(answeredAt(await client.members.get(member.id)))
    } catch (error) {
      showFailure(error, t('Could not end the access'))
      return
    }
    showUndo({
      message: t(`The access of ${member.name || t('Unnamed member')} has ended`),
      undo: () => set(member.ends_at),
      undone: 'Undone',
      failed: 'Could not undo',
    })
  }
  return (
    <Button variant="default" onClick={end}>
      End now
    </Button>
  )
}
