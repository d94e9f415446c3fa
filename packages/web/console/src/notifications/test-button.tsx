import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useAccountRefresh } from '../data/use-account.ts'
import { IconSend } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'

interface Outcome {
  readonly is_delivered: boolean
  readonly status_code: number | null
  readonly error: string | null
  readonly is_removed: boolean
}

export function TestButton({ id }: { id: string }) {
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const [is_busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      const outcome = await account<Outcome>('POST', `/push_subscriptions/${id}/test`, {})
      notifications.show({ message: describe(outcome), color: outcome.is_delivered ? 'teal' : 'red' })
      await refresh('/push_subscriptions')
    } catch (error) {
      showFailure(error, t('Could not send the test'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconSend size={14} />}
      loading={is_busy}
      onClick={() => void send()}
    >
      Send me a test
    </Button>
  )
}

function describe({ is_delivered, is_removed, status_code, error }: Outcome): string {
  if (is_delivered) return t('The push service has taken the test. It appears in a moment.')
  if (is_removed) return t('The push service no longer knows this browser. Turn on push in it again.')
  return t(
    `Could not send the test: the push service ${status_code ? t(`answered ${status_code}`) : t(`did not answer (${error})`)}.`,
  )
}
