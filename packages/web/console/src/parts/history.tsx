import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { HistoryProps } from '../events/history.tsx'
import { useApi } from '../session/use-api.ts'
import { LoadingLines } from './loading.tsx'
import { Section } from './page.tsx'

const Versions = lazy(async () => ({ default: (await import('../events/history.tsx')).Versions }))

/** What an object was before, once somebody asks. */
export function History(props: HistoryProps) {
  const { sees_all } = useApi()
  const [is_open, setOpen] = useState(false)
  if (!sees_all) return null
  return (
    <Section
      title="History"
      about="Who changed it, with before and after"
      actions={
        !is_open && (
          <Button size="xs" variant="default" onClick={() => setOpen(true)}>
            Show history
          </Button>
        )
      }
    >
      {is_open && (
        <Suspense fallback={<LoadingLines lines={3} />}>
          <Versions {...props} />
        </Suspense>
      )}
    </Section>
  )
}
