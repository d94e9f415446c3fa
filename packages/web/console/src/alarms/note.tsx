import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import type { Alarm } from './alarm.ts'

/** What somebody wrote about it, for whoever looks next. */
export function Note({ alarm }: { alarm: Alarm }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  const draft = useDraft({ note: alarm.note ?? '' }, async ({ note }) => {
    await client.alarms.edit(alarm.id, { note: note.trim() || null })
    refresh('alarms')
  })
  if (!may_write) return alarm.note ? <Shown note={alarm.note} /> : null
  return (
    <Section title="Note">
      <form onSubmit={draft.submit}>
        <Stack gap="xs">
          <Textarea
            aria-label="Note"
            placeholder="What you found, and what you did"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={1000}
            value={draft.values.note}
            error={draft.errorOf('note')}
            onChange={event => draft.set('note', event.currentTarget.value)}
          />
          {draft.is_dirty && (
            <Group justify="flex-end">
              <Button type="submit" loading={draft.is_saving}>
                Save note
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  )
}

function Shown({ note }: { note: string }) {
  return (
    <Section title="Note">
      <p className="alarm-runbook" dir="auto">
        {note}
      </p>
    </Section>
  )
}
