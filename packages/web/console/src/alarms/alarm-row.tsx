import { ActionIcon, Button, Checkbox, Menu, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { IconCheck, IconChevronDown, IconChevronRight, IconDots } from '../icons/icons.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import { type Alarm, alarmName, siteName, subjectOf } from './alarm.ts'
import { alarmTitles } from './alarm-words.ts'
import type { Folded } from './fold.ts'
import { AlarmMarks, SeverityIcon, StateBadge } from './marks.tsx'
import { Timing } from './timing.tsx'
import type { AlarmListActions } from './use-alarm-list.ts'

interface AlarmRowProps {
  readonly folded: Folded
  readonly actions: AlarmListActions
  /** True when what it explains is shown from the start. */
  readonly is_unfolded: boolean
  /** True where several can be chosen. */
  readonly is_chosen_from?: boolean
}

/** An alarm that somebody has to deal with, and below it what it explains. */
export function AlarmRow({ folded, actions, is_unfolded, is_chosen_from }: AlarmRowProps) {
  const { head, explained } = folded
  const [is_open, setOpen] = useState(is_unfolded)
  return (
    <li className="alarm" data-severity={head.severity}>
      <div className="alarm-row" data-alarm={head.id}>
        {is_chosen_from && <Choice alarm={head} actions={actions} />}
        <SeverityIcon severity={head.severity} is_over={head.is_over} />
        <AlarmText alarm={head} with_state />
        <RowActions folded={folded} actions={actions} />
      </div>
      {explained.length > 0 && (
        <button
          type="button"
          className="alarm-fold"
          aria-expanded={is_open}
          onClick={() => setOpen(held => !held)}
        >
          {is_open ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          Explains {explained.length.toLocaleString(locale)} more
          <VisuallyHidden>: {alarmName(head)}</VisuallyHidden>
        </button>
      )}
      {is_open && explained.length > 0 && (
        <ul className="alarm-explained" aria-label={`Explained by ${alarmName(head)}`}>
          {explained.map(alarm => (
            <li key={alarm.id} className="alarm-row" data-alarm={alarm.id}>
              <SeverityIcon severity={alarm.severity} is_over={alarm.is_over} />
              <AlarmText alarm={alarm} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Choice({ alarm, actions }: { alarm: Alarm; actions: AlarmListActions }) {
  return (
    <Checkbox
      className="alarm-choice"
      aria-label={`Choose ${alarmName(alarm)}`}
      checked={actions.chosen.has(alarm.id)}
      onChange={event => actions.choose([alarm.id], event.currentTarget.checked)}
    />
  )
}

export function AlarmText({ alarm, with_state }: { alarm: Alarm; with_state?: boolean }) {
  const site = siteName(alarm)
  return (
    <div className="alarm-text">
      <Link href={`/alarms/${alarm.id}`} className="alarm-target">
        <span className="alarm-title">{alarmTitles[alarm.type]}</span>{' '}
        <span className="alarm-place">
          <Name>{subjectOf(alarm).name}</Name>
          {site && (
            <span className="soft">
              {', '}
              <Name>{site}</Name>
            </span>
          )}
        </span>
      </Link>
      <div className="alarm-meta">
        <Timing alarm={alarm} />
        <AlarmMarks alarm={alarm} />
        {with_state && alarm.state !== 'open' && <StateBadge alarm={alarm} />}
        {alarm.acknowledged_by_user && (
          <span>
            Taken by <Name>{alarm.acknowledged_by_user.name || alarm.acknowledged_by_user.email}</Name>
          </span>
        )}
      </div>
    </div>
  )
}

function RowActions({ folded, actions }: Pick<AlarmRowProps, 'folded' | 'actions'>) {
  const { may_write } = useApi()
  const [, go] = useLocation()
  const { head, explained } = folded
  if (!may_write) return null
  const is_open = head.state === 'open'
  const rest = is_open ? t('Acknowledge') : t(`Acknowledge the other ${explained.length}`)
  return (
    <div className="alarm-actions">
      {(is_open || explained.length > 0) && (
        <Button
          variant="default"
          className="alarm-acknowledge"
          leftSection={<IconCheck size={15} />}
          aria-label={`${rest}: ${alarmName(head)}`}
          onClick={() => void actions.acknowledge([folded])}
        >
          <span className="alarm-word">{rest}</span>
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={`More for ${alarmName(head)}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => go(`/alarms/${head.id}`)}>Details</Menu.Item>
          {head.state !== 'closed' && <Menu.Item onClick={() => actions.askSnooze(head)}>Snooze…</Menu.Item>}
          {head.state !== 'closed' && <Menu.Item onClick={() => void actions.close(head)}>Close</Menu.Item>}
          {head.state !== 'open' && <Menu.Item onClick={() => void actions.reopen(head)}>Reopen</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
