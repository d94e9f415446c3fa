import { Alert, Button, Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { IconAlertTriangle, IconRefresh } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { Section } from '../parts/page.tsx'
import { Ago } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { type Calendar, isHeldBack, refreshErrorWords } from './calendar.ts'
import { Source } from './source.tsx'

/** Says when the days were refreshed and what went wrong, and refreshes them now. */
export function SourceStatus({ calendar, may_write }: { calendar: Calendar; may_write: boolean }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [is_busy, setBusy] = useState(false)
  const [asked_at, setAsked] = useState<string | null>()
  const { refreshed_at, refresh_error } = calendar
  const is_waiting = refreshed_at === null || asked_at === refreshed_at
  useRepeat(is_waiting, () => refresh('calendars', 'days'))
  const ask = async (accept: boolean) => {
    setBusy(true)
    try {
      await client.calendars.refresh(calendar.id, accept ? { accept } : {})
      setAsked(refreshed_at)
    } catch (error) {
      showFailure(error, t('Could not refresh'))
    }
    setBusy(false)
  }
  return (
    <Section
      title="Source"
      about={
        <>
          <Source source={calendar.source} /> ·{' '}
          {refreshed_at ? (
            <>
              refreshed <Ago at={refreshed_at} />
            </>
          ) : (
            'being read for the first time'
          )}
        </>
      }
      flush
      actions={
        may_write && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={14} />}
            loading={is_busy || is_waiting}
            onClick={() => void ask(false)}
          >
            Refresh now
          </Button>
        )
      }
    >
      {refresh_error && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle size={16} />}
          title={isHeldBack(calendar) ? 'New days are held back' : 'Could not refresh'}
          className="calendars-alert"
        >
          <Group justify="space-between">
            <span>{refreshErrorWords(refresh_error)} The previous days stay.</span>
            {may_write && isHeldBack(calendar) && (
              <Button size="compact-sm" loading={is_busy} onClick={() => void ask(true)}>
                Accept
              </Button>
            )}
          </Group>
        </Alert>
      )}
    </Section>
  )
}

/** The service refreshes in the background and writes no event if nothing changes, so the page looks again. */
function useRepeat(is_waiting: boolean, look: () => void): void {
  const current = useRef(look)
  current.current = look
  useEffect(() => {
    if (!is_waiting) return
    const timer = setInterval(() => current.current(), 1500)
    return () => clearInterval(timer)
  }, [is_waiting])
}
