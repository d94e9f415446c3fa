import { useNames } from '../emergencies/use-names.ts'
import { exactWords, zoneAt } from '../events/event-time.tsx'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { Name, NameLink } from '../parts/name.tsx'
import { Facts, Section } from '../parts/page.tsx'
import type { Alarm } from './alarm.ts'

export function About({ alarm }: { alarm: Alarm }) {
  const rules = useNames('alarm_rules', alarm.alarm_rule_ids)
  const { site, device, acknowledged_by_user: user } = alarm
  return (
    <Section title="About">
      <Facts
        facts={[
          [t('Began'), <Told key="began" at={alarm.started_at} site={site} />],
          ...fact(alarm.is_late, t('Reported'), <Told key="reported" at={alarm.recorded_at} site={site} />),
          [t('Ended'), alarm.ended_at ? <Told key="ended" at={alarm.ended_at} site={site} /> : t('Still on')],
          ...fact(
            alarm.occurrence_count > 1,
            t('Last time'),
            <span key="last">
              <Told at={alarm.last_occurred_at} site={site} />,{' '}
              {alarm.occurrence_count.toLocaleString(locale)} times in all
            </span>,
          ),
          ...fact(
            alarm.acknowledged_at !== null,
            t('Taken by'),
            user ? (
              <Name key="user">{user.name || user.email}</Name>
            ) : (
              <span key="user" className="soft">
                An application
              </span>
            ),
          ),
          ...fact(
            Boolean(site),
            t('Site'),
            <NameLink key="site" href={`/sites/${site?.id}`}>
              {site?.name}
            </NameLink>,
          ),
          ...fact(
            Boolean(device),
            t('Device'),
            <NameLink key="device" href={`/devices/${device?.id}`}>
              {device?.name}
            </NameLink>,
          ),
          [t('Rules'), rules ? <bdi key="rules">{rules}</bdi> : t('None took it up: nobody is told')],
          [
            'ID',
            <span key="id" className="mono">
              {alarm.id}
            </span>,
          ],
        ]}
      />
    </Section>
  )
}

function Told({ at, site }: { at: string; site: Alarm['site'] }) {
  return <time dateTime={at}>{exactWords(at, zoneAt(site, at))}</time>
}

type Fact = readonly [string, React.ReactNode]

function fact(is_shown: boolean, label: string, value: React.ReactNode): readonly Fact[] {
  return is_shown ? [[label, value]] : []
}
