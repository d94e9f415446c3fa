import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { keyOf } from '../data/collections.ts'
import { usePages } from '../data/use-list.ts'
import { IconCalendarEvent, IconPencil, IconPlus, IconTrash } from '../icons/icons.ts'
import { DeletedLines } from '../parts/deleted-lines.tsx'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { useAskRemove } from '../parts/use-ask-remove.tsx'
import { useApi } from '../session/use-api.ts'
import { type Calendar, type CalendarDay, datesWords } from './calendar.ts'
import { EditDay } from './edit-day.tsx'
import { kindWords } from './kind-words.ts'
import { dayLossesOf } from './losses.ts'

/** Lists the days of a calendar. Those of a source cannot be edited. */
export function Days({ calendar, may_write }: { calendar: Calendar; may_write: boolean }) {
  const { client, organization } = useApi()
  const [edited, setEdited] = useState<CalendarDay | 'new'>()
  const list = usePages<CalendarDay>(
    keyOf(organization.id, 'calendars', 'days', calendar.id, calendar.is_deleted),
    (cursor, signal) =>
      client.calendar_days.list(calendar.id, {
        limit: 100,
        sort: 'starts_on:asc',
        ...(calendar.is_deleted && { is_deleted: true }),
        ...(cursor && { cursor }),
        signal,
      }),
  )
  /** Days of a source come back with it. */
  const can_restore = may_write && !calendar.source && !calendar.is_deleted
  const add_button = may_write && !calendar.source && (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconPlus size={14} />}
      onClick={() => setEdited('new')}
    >
      Add day
    </Button>
  )
  return (
    <Section title="Days" flush actions={add_button}>
      <Rows
        label="Days"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Name',
            width: '1.2fr',
            render: day => (
              <>
                <Name fallback="Unnamed">{day.name}</Name>
                <span className="below">
                  {datesWords(day)} · {kindWords(day.kind)}
                </span>
              </>
            ),
          },
          { title: 'Dates', width: '1.2fr', on_phone: false, render: day => datesWords(day) },
          {
            title: 'Kind',
            width: '100px',
            on_phone: false,
            render: ({ kind }) => <span className="soft">{kindWords(kind)}</span>,
          },
          {
            title: 'Actions',
            is_actions: true,
            width: '72px',
            render: day =>
              may_write && !day.is_managed ? (
                <div className="row-actions">
                  <ActionIcon aria-label={`Edit ${day.name ?? day.starts_on}`} onClick={() => setEdited(day)}>
                    <IconPencil size={15} />
                  </ActionIcon>
                  <RemoveDay day={day} />
                </div>
              ) : (
                <div className="row-actions soft">–</div>
              ),
          },
        ]}
        empty={
          <Empty icon={<IconCalendarEvent />} title="No days yet">
            {calendar.source
              ? 'They appear when the source has been read.'
              : 'Add holidays and other days on which schedules have other times.'}
          </Empty>
        }
      />
      {can_restore && (
        <DeletedLines
          label="Deleted days"
          of={calendar.id}
          plurals={['calendars', 'days']}
          load={async (cursor, signal) => {
            const found = await client.calendar_days.list(calendar.id, {
              is_deleted: true,
              limit: 100,
              sort: 'starts_on:asc',
              ...(cursor && { cursor }),
              signal,
            })
            const data = found.data.map(day => ({
              id: day.id,
              name: day.name ?? kindWords(day.kind),
              more: datesWords(day),
              restore: () => client.calendar_days.edit(calendar.id, day.id, { is_deleted: false }),
            }))
            return { ...found, data }
          }}
        />
      )}
      {edited && (
        <EditDay
          calendar_id={calendar.id}
          day={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  )
}

function RemoveDay({ day }: { day: CalendarDay }) {
  const { client } = useApi()
  const { id, calendar_id, name, kind, starts_on } = day
  const removal = {
    id,
    name: name ?? kindWords(kind),
    is_phrase: name === null,
    plurals: ['calendars', 'days'],
    remove: () => client.calendar_days.delete(calendar_id, id),
    restore: () => client.calendar_days.edit(calendar_id, id, { is_deleted: false }),
  }
  const { ask, is_busy, dialog } = useAskRemove({ removal, losses: () => dayLossesOf(client, day) })
  return (
    <>
      <ActionIcon aria-label={`Delete ${name ?? starts_on}`} loading={is_busy} onClick={ask}>
        <IconTrash size={15} />
      </ActionIcon>
      {dialog}
    </>
  )
}
