import { periodNames } from '@gatehouse-access/api'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { withinSentence } from '../parts/capital.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import { daysInWords, type Pending as Held, type Privacy, periodWords } from './privacy-words.ts'

interface PendingProps {
  readonly pending: Held
  readonly privacy: Privacy
  readonly is_owner: boolean
}

/** Says what is about to take effect. Until then, an owner can undo it. */
export function Pending({ pending, privacy, is_owner }: PendingProps) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [is_busy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    try {
      const { member_export } = privacy
      await client.organization.edit({
        privacy: { ...pending.in_force, ...(member_export !== undefined && { member_export }) },
      })
      refresh('organizations')
    } catch (error) {
      showFailure(error, t('Could not undo the change'))
      setBusy(false)
    }
  }
  const changing = periodNames.filter(name => (privacy[name] ?? null) !== (pending.in_force[name] ?? null))
  return (
    <Alert color="yellow" mb="md" title="A change is about to take effect">
      <Text size="sm">
        <OwnTime at={pending.takes_effect_at} />:{' '}
        {changing
          .map(name =>
            t(
              `${withinSentence(periodWords[name][0])} ${daysInWords(privacy[name])} instead of ${daysInWords(pending.in_force[name])}`,
            ),
          )
          .join('; ')}
        . What is older then is removed for good.
      </Text>
      {is_owner && (
        <Group mt="xs">
          <Button size="xs" variant="default" loading={is_busy} onClick={() => void undo()}>
            Undo
          </Button>
        </Group>
      )}
    </Alert>
  )
}
