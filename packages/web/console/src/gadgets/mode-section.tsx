import { Alert, Button, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactElement } from 'react'
import { useList } from '../data/use-list.ts'
import { usePoll } from '../data/use-poll.ts'
import { IconCalendarTime, IconLock, IconLockOpen } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { type Mode, modeMeanings } from '../modes/mode.ts'
import { ModeBadge } from '../modes/mode-badge.tsx'
import type { Door } from '../overview/door.ts'
import { Section } from '../parts/page.tsx'
import { Ago } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { ModeCause } from './mode-cause.tsx'
import { useModeChange } from './mode-change.ts'
import { ModeWeek } from './mode-week.tsx'
import { UnlockUntil } from './unlock-until.tsx'
import './mode.css'

/** What a door is now, why and until when, and the three buttons that change it. */
export function ModeSection({ gadget }: { gadget: Door }) {
  const { sees_people, may_run_doors } = useApi()
  const { mode } = gadget
  usePoll(mode?.is_confirmed === false, 'gadgets')
  if (!mode || gadget.is_deleted) return null
  return (
    <Section title="Mode">
      <div className="mode-now" role="status">
        <span className="mode-badges">
          <ModeBadge mode={mode} />
        </span>
        <ModeCause mode={mode} site_id={gadget.site_id} />
        <span className="soft">{modeMeanings[mode.effective]}</span>
        <Confirmation mode={mode} is_online={gadget.device?.status.online ?? false} />
      </div>
      {may_run_doors && <Buttons gadget={gadget} mode={mode} />}
      {sees_people && <ModeWeek gadget={gadget} />}
    </Section>
  )
}

function Confirmation({ mode, is_online }: { mode: Mode; is_online: boolean }) {
  if (mode.is_confirmed && mode.confirmed_at)
    return (
      <span className="soft">
        Confirmed by its device, <Ago at={mode.confirmed_at} />.
      </span>
    )
  return (
    <span className={is_online ? 'warn-ink' : 'bad-ink'}>
      {is_online
        ? 'Its device has not confirmed this yet.'
        : 'Its device is offline, so the door may be something else.'}
    </span>
  )
}

function Buttons({ gadget, mode }: { gadget: Door; mode: Mode }) {
  const { sees_all } = useApi()
  const [is_unlocking, unlocking] = useDisclosure(false)
  const change = useModeChange(gadget)
  const rules = useList('unlock_rules', { site_id: gadget.site_id, limit: 100 }, { enabled: sees_all })
  const has_rules = rules.items.some(
    ({ gadget_ids, is_enabled }) => is_enabled && gadget_ids.includes(gadget.id),
  )
  if (mode.source === 'emergency' || mode.source === 'fire')
    return (
      <Alert color="gray" className="mode-buttons">
        {mode.source === 'fire'
          ? 'The fire alarm decides. Reset it at the site once it has cleared.'
          : 'The emergency decides. It is ended by its button above.'}
      </Alert>
    )
  const can_hold = Boolean(gadget.door?.hold_action_id)
  const is_set = mode.source === 'override'
  return (
    <div className="mode-buttons">
      <Why reason={can_hold ? undefined : t('It has no action that keeps it unlocked.')}>
        <Button
          variant="default"
          leftSection={<IconLockOpen size={15} />}
          aria-disabled={!can_hold}
          {...(!can_hold && { 'data-disabled': true })}
          onClick={() => can_hold && unlocking.open()}
        >
          Unlock until…
        </Button>
      </Why>
      <Button
        variant="default"
        leftSection={<IconLock size={15} />}
        onClick={() => void change({ mode: 'controlled' }, t(`${gadget.name} is locked`))}
      >
        Lock now
      </Button>
      <Why reason={is_set ? undefined : t('Nobody has changed the mode by hand.')}>
        <Button
          variant="default"
          leftSection={<IconCalendarTime size={15} />}
          aria-disabled={!is_set}
          {...(!is_set && { 'data-disabled': true })}
          onClick={() =>
            is_set && void change({ mode: 'scheduled' }, t(`${gadget.name} follows its schedule again`))
          }
        >
          Back to schedule
        </Button>
      </Why>
      {is_unlocking && <UnlockUntil gadget={gadget} has_rules={has_rules} onClose={unlocking.close} />}
    </div>
  )
}

function Why({ reason, children }: { reason: string | undefined; children: ReactElement }) {
  return (
    <Tooltip label={reason} disabled={!reason} multiline maw={260}>
      {children}
    </Tooltip>
  )
}
