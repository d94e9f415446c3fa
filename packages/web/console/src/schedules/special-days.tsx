import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { kindPlural, kindWords, usualKinds } from '../calendars/kind-words.ts'
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '../icons/icons.ts'
import { Section } from '../parts/page.tsx'
import { hoursWords } from './day-words.ts'
import type { SpecialDay } from './schedule.ts'
import { SpecialDayDialog } from './special-day-dialog.tsx'
import { type AtSite, useSiteKinds } from './use-site-year.ts'
import '../groups/groups.css'

interface SpecialDaysProps {
  readonly days: readonly SpecialDay[]
  readonly at: AtSite
  readonly may_write: boolean
  readonly onChange: (days: readonly SpecialDay[]) => void
}

const most = 16

/** Edits the times on special days by their kind. The order counts, because a day may have several kinds. */
export function SpecialDays({ days, at, may_write, onChange }: SpecialDaysProps) {
  const [edited, setEdited] = useState<number>()
  const kinds = useSiteKinds(at)
  const move = (index: number, step: number) => onChange(swapped(days, index, index + step))
  return (
    <Section
      title="Special days"
      about="Times on days that a site’s calendars mark, in place of the weekday’s. If a day is of several kinds, the first one here counts."
      flush
      actions={
        may_write && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={days.length >= most}
            onClick={() => setEdited(days.length)}
          >
            Add
          </Button>
        )
      }
    >
      {days.length === 0 && (
        <p className="section-note soft">None. On holidays, this schedule has the times of the weekday.</p>
      )}
      <ol className="rule-list" aria-label="Special days">
        {days.map(({ kind, ranges }, index) => (
          <li key={kind}>
            <span className="rule-words">
              On <strong>{kindPlural(kind)}</strong>: {hoursWords(ranges)}
            </span>
            {may_write && (
              <span className="schedules-moves">
                <ActionIcon
                  aria-label={`Move ${kindWords(kind)} up`}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                >
                  <IconArrowUp size={15} />
                </ActionIcon>
                <ActionIcon
                  aria-label={`Move ${kindWords(kind)} down`}
                  disabled={index === days.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <IconArrowDown size={15} />
                </ActionIcon>
                <ActionIcon aria-label={`Edit ${kindWords(kind)}`} onClick={() => setEdited(index)}>
                  <IconPencil size={15} />
                </ActionIcon>
                <ActionIcon
                  aria-label={`Remove ${kindWords(kind)}`}
                  onClick={() => onChange(days.toSpliced(index, 1))}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </span>
            )}
          </li>
        ))}
      </ol>
      {edited !== undefined && (
        <SpecialDayDialog
          day={days[edited]}
          kinds={[...new Set([...kinds, ...usualKinds])]}
          taken={days.toSpliced(edited, 1).map(({ kind }) => kind)}
          onSave={day => onChange(days.toSpliced(edited, 1, day))}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  )
}

function swapped<T>(list: readonly T[], one: number, other: number): readonly T[] {
  return list.with(one, list[other] as T).with(other, list[one] as T)
}
