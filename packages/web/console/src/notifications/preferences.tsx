import { Button, Checkbox, Group, Select, Stack, Switch } from '@mantine/core'
import { useAccount, useAccountRefresh } from '../data/use-account.ts'
import { ClockInput } from '../form/clock-input.tsx'
import { useDraft } from '../form/draft.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { ZonePick } from '../sites/zone-pick.tsx'
import { useSubscriptions } from './use-push.ts'
import './notifications.css'

const severities = ['critical', 'warning', 'info'] as const

interface Settings {
  readonly channels: Readonly<Record<(typeof severities)[number], readonly string[]>>
  readonly quiet: { readonly from: string; readonly to: string; readonly zone: string } | null
  readonly language: string
}

const words = { critical: t('Critical alarms'), warning: t('Warnings'), info: t('Information') } as const
const languages = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
  { value: 'de', label: 'Deutsch' },
  { value: 'fr', label: 'Français' },
]
const path = '/notification_settings'

export function Preferences() {
  const { data, error, refetch } = useAccount<Settings>(path)
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <LoadingPage />
  return <PreferencesForm key={JSON.stringify(data)} settings={data} />
}

function PreferencesForm({ settings }: { settings: Settings }) {
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const draft = useDraft(settings, async values => {
    await account('PATCH', path, values)
    await refresh(path)
  })
  const { channels, quiet, language } = draft.values
  const instead = useInstead()
  return (
    <Section
      title="How you are told"
      about="What alarm rules send to you, not to addresses of the organization"
    >
      <form onSubmit={draft.submit}>
        <Stack gap="md">
          {severities.map(severity => (
            <Checkbox.Group
              key={severity}
              label={words[severity]}
              className="notifications-channels"
              value={[...channels[severity]]}
              onChange={chosen => draft.set('channels', { ...channels, [severity]: chosen })}
            >
              <div className="notifications-ways">
                <Checkbox
                  value="push"
                  label="Push"
                  description={channels[severity].includes('push') && instead}
                />
                <Checkbox value="email" label="Email" />
              </div>
            </Checkbox.Group>
          ))}
          <Quiet
            quiet={quiet}
            error={draft.errorOf('quiet.zone')}
            onChange={held => draft.set('quiet', held)}
          />
          <Select
            label="Language"
            description="Of messages and emails to you"
            data={languages}
            value={language}
            allowDeselect={false}
            onChange={value => value && draft.set('language', value)}
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={!draft.is_dirty} loading={draft.is_saving}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

/** Says what becomes of what is chosen for push while no browser takes it. */
function useInstead(): string | undefined {
  const { data } = useSubscriptions()
  if (!data) return undefined
  if (data.off_reason) return t('Sent by email, as push is off for this installation')
  return data.data.length === 0 ? t('Sent by email until push is on in one of your browsers') : undefined
}

interface QuietProps {
  readonly quiet: Settings['quiet']
  readonly error: string | undefined
  onChange(quiet: Settings['quiet']): void
}

function Quiet({ quiet, error, onChange }: QuietProps) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <div>
      <Switch
        label="Quiet hours"
        description="Only critical alarms are told meanwhile"
        checked={quiet !== null}
        onChange={event =>
          onChange(event.currentTarget.checked ? { from: '22:00', to: '07:00', zone } : null)
        }
      />
      {quiet && (
        <Group mt="xs" align="flex-start">
          <ClockInput
            label="From"
            required
            value={quiet.from}
            onChange={from => onChange({ ...quiet, from })}
          />
          <ClockInput label="To" required value={quiet.to} onChange={to => onChange({ ...quiet, to })} />
          <ZonePick
            label="Time zone"
            description=""
            value={quiet.zone}
            error={error}
            onChange={held => onChange({ ...quiet, zone: held })}
          />
        </Group>
      )}
    </div>
  )
}
