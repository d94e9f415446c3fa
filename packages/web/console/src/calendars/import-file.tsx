import type { ImportedDays } from '@gatehouse-access/api'
import { Button, FileInput, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { formatDates } from '../parts/dates.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import type { Calendar } from './calendar.ts'
import { skipWords, startWords } from './skip-words.ts'

interface Read {
  readonly ics: string
  readonly plan: ImportedDays
}

/** Imports a calendar file. Shows first what it would change, and what would be left out. */
export function ImportFile({ calendar, onClose }: { calendar: Calendar; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [read, setRead] = useState<Read>()
  const [is_busy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<unknown>, failed: string) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      showFailure(error, failed)
    }
    setBusy(false)
  }
  const look = (file: File | null) => {
    setRead(undefined)
    if (!file) return
    void attempt(async () => {
      const ics = await file.text()
      setRead({ ics, plan: await client.calendar_days.import(calendar.id, { ics }, { dry_run: true }) })
    }, t('Could not read the file'))
  }
  const take = ({ ics }: Read) =>
    attempt(async () => {
      const done = await client.calendar_days.import(calendar.id, { ics })
      refresh('calendars', 'days')
      notifications.show({ message: `Imported: ${countWords(done)}`, color: 'teal' })
      onClose()
    }, t('Could not import the file'))
  return (
    <Modal opened onClose={onClose} title="Import a calendar file" size="lg">
      <Stack gap="sm">
        <FileInput
          label="File"
          description="An .ics file of at most 1 MiB. Only events that last whole days are taken."
          placeholder="Choose a file"
          accept=".ics,text/calendar"
          onChange={look}
          data-autofocus
        />
        {read && <Plan plan={read.plan} />}
        <Group justify="flex-end" gap="xs" className="form-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={is_busy}
            disabled={!read || isEmpty(read.plan)}
            onClick={() => read && void take(read)}
          >
            Import days
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Plan({ plan }: { plan: ImportedDays }) {
  const { create, update, delete: gone, skipped } = plan
  const lines = [
    ...create.map(day => [t('New'), dayText(day)] as const),
    ...update.map(day => [t('Changed'), dayText(day)] as const),
    ...gone.map(day => [t('Deleted'), dayText(day)] as const),
    ...skipped.map(skip => [t('Left out'), skipText(skip)] as const),
  ]
  return (
    <>
      <Text size="sm" role="status">
        {isEmpty(plan) ? 'The file changes nothing' : `Would be imported: ${countWords(plan)}`}.
      </Text>
      {lines.length > 0 && (
        <ul className="calendars-planned" aria-label="What the file changes">
          {lines.slice(0, shown).map(([what, text], index) => (
            <li key={index}>
              <span className="soft">{what}</span>
              <bdi>{text}</bdi>
            </li>
          ))}
          {lines.length > shown && <li className="soft">and {lines.length - shown} more</li>}
        </ul>
      )}
    </>
  )
}

const shown = 300

type Planned = ImportedDays['create'][number]

function dayText({ name, starts_on, ends_on, recurrence }: Omit<Planned, 'calendar_day_id'>): string {
  const dates = formatDates(starts_on, ends_on)
  return `${name ?? t('Unnamed')}, ${dates}${recurrence === 'yearly' ? t(', every year') : ''}`
}

type Skipped = ImportedDays['skipped'][number]

function skipText({ name, starts, reason }: Skipped): string {
  const what = [name ?? t('Unnamed'), starts && startWords(starts)].filter(Boolean).join(', ')
  return `${what}: ${skipWords(reason)}`
}

function isEmpty({ create, update, delete: gone }: ImportedDays): boolean {
  return create.length + update.length + gone.length === 0
}

/** Returns `12 new, 1 changed, 2 left out`. */
function countWords({ create, update, delete: gone, skipped }: ImportedDays): string {
  const counts = [
    [create.length, t('new')],
    [update.length, t('to change')],
    [gone.length, t('to delete')],
    [skipped.length, t('left out')],
  ] as const
  const words = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return words.join(', ') || t('nothing')
}
