import type { ModeBody, SiteZone } from '@gatehouse-access/api'
import { Radio, Stack, TextInput } from '@mantine/core'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { MomentInput } from '../form/moment-input.tsx'
import { t } from '../language/t.ts'
import type { Door } from '../overview/door.ts'
import { inZone, momentAt } from '../parts/door-time.ts'
import { useZone } from '../schedules/use-site-days.ts'
import { useModeChange } from './mode-change.ts'

interface Props {
  readonly gadget: Door
  /** Whether unlock rules turn the mode of the door. */
  readonly has_rules: boolean
  readonly onClose: () => void
}

interface Values {
  /** Minutes, or one of the words below. */
  readonly length: string
  readonly until: string | null
  readonly reason: string
}

const minutes = [
  ['30', t('30 minutes')],
  ['60', t('1 hour')],
  ['120', t('2 hours')],
  ['480', t('8 hours')],
] as const

/** Holds a door open: for some time, until a time, until its rules turn, or, if said so, without an end. */
export function UnlockUntil({ gadget, has_rules, onClose }: Props) {
  const change = useModeChange(gadget)
  const { data: zone } = useZone(gadget.site_id)
  const draft = useDraft<Values>({ length: '60', until: null, reason: '' }, async values => {
    const body = toChange(values, Date.now())
    if (await change(body, t(`${gadget.name} unlocked ${toldEnd(body, zone)}`))) onClose()
  })
  const { values, set } = draft
  const is_empty = values.length === 'until' && values.until === null
  return (
    <FormModal
      title="Unlock until…"
      opened
      onClose={onClose}
      draft={draft}
      action="Unlock"
      is_empty={is_empty}
    >
      <Radio.Group aria-label="How long" value={values.length} onChange={value => set('length', value)}>
        <Stack gap={10}>
          {minutes.map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
          {has_rules && (
            <Radio
              value="until_turn"
              label="Until its unlock rules turn"
              description="When they next unlock or lock the door."
            />
          )}
          <Radio value="until" label="Until a time" />
          <Radio
            value="indefinitely"
            label="Without an end"
            description="Stays unlocked until somebody changes it. Doors are easily forgotten."
          />
        </Stack>
      </Radio.Group>
      {values.length === 'until' && (
        <MomentInput
          label="Until"
          value={values.until}
          onChange={until => set('until', until)}
          {...(zone && { zone })}
        />
      )}
      <TextInput
        label="Reason"
        placeholder="Delivery"
        maxLength={255}
        value={values.reason}
        error={draft.errorOf('reason')}
        onChange={event => set('reason', event.currentTarget.value)}
      />
    </FormModal>
  )
}

export function toChange({ length, until, reason }: Values, now: number): ModeBody {
  const why = reason.trim() ? { reason: reason.trim() } : {}
  if (length === 'until_turn' || length === 'indefinitely') return { mode: 'unlocked', lasts: length, ...why }
  const end = length === 'until' ? until : new Date(now + Number(length) * 60_000).toISOString()
  return { mode: 'unlocked', lasts: 'until', ...(end && { until: end }), ...why }
}

function toldEnd({ lasts, until }: ModeBody, zone: SiteZone | undefined): string {
  if (until) return t(`until ${inZone(momentAt(until, zone), zone)}`)
  return lasts === 'until_turn' ? t('until its rules turn') : t('without an end')
}
