import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { staticList } from '../data/static-list.ts'
import { IconPencil, IconPlus, IconTrash } from '../icons/icons.ts'
import { capital } from '../parts/capital.ts'
import { formatDates } from '../parts/dates.ts'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { is_touch } from '../parts/touch.ts'
import { hoursWords } from './day-words.ts'
import { type Exception, lastDate } from './schedule.ts'

interface ExceptionsProps {
  readonly exceptions: readonly Exception[]
  readonly today: string
  readonly may_write: boolean
  readonly onEdit: (exception: Exception | string) => void
  readonly onRemove: (exception: Exception) => void
}

/** Lists the exceptions to come. Those that are over are shown on request. */
export function Exceptions({ exceptions, today, may_write, onEdit, onRemove }: ExceptionsProps) {
  const [is_all, setAll] = useState(false)
  const coming = exceptions.filter(exception => lastDate(exception) >= today)
  const shown = is_all ? exceptions : coming
  const past = exceptions.length - coming.length
  return (
    <Section
      title="Exceptions"
      about="Times of this schedule alone on single dates, whatever the calendars say."
      flush
      actions={
        <>
          {past > 0 && (
            <Button size="compact-sm" variant="subtle" onClick={() => setAll(!is_all)}>
              {is_all ? 'Hide past' : `Show ${past} past`}
            </Button>
          )}
          {may_write && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => onEdit(today)}
            >
              Add
            </Button>
          )}
        </>
      }
    >
      <Rows
        label="Exceptions"
        list={staticList(shown)}
        keyOf={({ starts_on }) => starts_on}
        columns={[
          {
            title: 'Dates',
            width: '1.4fr',
            render: ({ starts_on, ends_on, name, ranges }) => (
              <>
                {formatDates(starts_on, ends_on)} {name && <Name>{`· ${name}`}</Name>}
                <span className="below">{capital(hoursWords(ranges))}</span>
              </>
            ),
          },
          {
            title: 'Times',
            width: '1fr',
            on_phone: false,
            render: ({ ranges }) => <span className="soft">{capital(hoursWords(ranges))}</span>,
          },
          {
            title: 'Actions',
            is_actions: true,
            width: '72px',
            render: exception =>
              may_write && (
                <div className="row-actions">
                  <ActionIcon
                    aria-label={`Edit exception ${exception.starts_on}`}
                    onClick={() => onEdit(exception)}
                  >
                    <IconPencil size={15} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Remove exception ${exception.starts_on}`}
                    onClick={() => onRemove(exception)}
                  >
                    <IconTrash size={15} />
                  </ActionIcon>
                </div>
              ),
          },
        ]}
        empty={
          <p className="section-note soft">
            {is_touch
              ? 'None to come. Tap a day of the year to set one.'
              : 'None to come. Click a day of the year to set one.'}
          </p>
        }
      />
    </Section>
  )
}
