import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import { failureWords } from './failure-words.ts'
import type { Target } from './target.ts'

interface Outcome {
  readonly is_good: boolean
  readonly words: string
}

const takers: Record<Target['kind'], string> = {
  email: t('The mail server'),
  ntfy: t('The ntfy server'),
  http: t('The receiver'),
}

/** Sends a test to a target, and keeps what became of it until the next one. */
export function useTest({ id, kind }: Target) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [is_busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const send = async () => {
    setBusy(true)
    setOutcome(undefined)
    try {
      const tested = await client.notification_targets.test(id)
      setOutcome(
        tested.is_delivered
          ? { is_good: true, words: t(`${takers[kind]} has taken the test.`) }
          : { is_good: false, words: t(`The test did not arrive: ${failureWords(tested)}.`) },
      )
    } catch (error) {
      showFailure(error, t('Could not send the test'))
    }
    setBusy(false)
    refresh('notifications')
  }
  return { send, is_busy, outcome }
}
