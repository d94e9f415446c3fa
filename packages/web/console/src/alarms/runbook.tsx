import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import type { Alarm } from './alarm.ts'

/** What to do at this site. Whoever is woken at night does not know it by heart. */
export function Runbook({ alarm: { site_id } }: { alarm: Alarm }) {
  const { may_write } = useApi()
  const { data: site } = useObject('sites', site_id)
  if (!site || (!site.alarm_runbook && !may_write)) return null
  const edit = (
    <Anchor component={Link} href={`/sites/${site.id}?edit`} size="sm">
      {site.alarm_runbook ? 'Change' : 'Write it'}
    </Anchor>
  )
  return (
    <Section
      title="What to do"
      about={
        <>
          Alarms at <bdi>{site.name}</bdi>
        </>
      }
      actions={may_write && edit}
    >
      {site.alarm_runbook ? (
        <p className="alarm-runbook" dir="auto">
          {site.alarm_runbook}
        </p>
      ) : (
        <Text size="sm" c="dimmed">
          Nothing is written down for this site yet: whom to call, where the key is, what to check first.
        </Text>
      )}
    </Section>
  )
}
