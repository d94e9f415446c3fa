import type { SiteZone } from '@gatehouse-access/api'
import { Badge, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useNames } from '../emergencies/use-names.ts'
import { IconFlame, IconPencil } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { inZone, momentAt } from '../parts/door-time.ts'
import { showFailure } from '../parts/failure.tsx'
import { HoldButton } from '../parts/hold-button.tsx'
import { NameLink } from '../parts/name.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import type { Fire, Site } from './site.ts'

const EditFire = lazy(async () => ({ default: (await import('./edit-fire.tsx')).EditFire }))

/** The contact of the fire alarm of a site, whether it has been set off, and its reset. */
export function FireAlarm({ site }: { site: Site }) {
  const { may_write } = useApi()
  const [is_editing, editing] = useDisclosure(false)
  return (
    <Section
      title="Fire alarm"
      about="Adds to the release that is wired in hardware, and never replaces it."
      actions={
        may_write &&
        !site.is_deleted && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPencil size={14} />}
            onClick={editing.open}
          >
            {site.fire ? 'Change' : 'Set up'}
          </Button>
        )
      }
    >
      {site.fire ? (
        <Shown site={site} fire={site.fire} />
      ) : (
        <p className="soft">
          Not set up. With a contact of the fire alarm, doors that lock people in are held open.
        </p>
      )}
      <Suspense>{is_editing && <EditFire site={site} onClose={editing.close} />}</Suspense>
    </Section>
  )
}

function Shown({ site, fire }: { site: Site; fire: Fire }) {
  const { data: zone } = useZone(site.id)
  const { data: gadget } = useObject('gadgets', fire.source_gadget_id)
  const state = gadget?.states.find(({ id }) => id === fire.source_state_id)
  const released = useNames('gadgets', fire.release_gadget_ids ?? [])
  return (
    <>
      <Facts
        facts={[
          [t('Now'), <Now key="now" fire={fire} zone={zone} />],
          [
            t('Contact'),
            <span key="contact">
              <NameLink href={`/gadgets/${fire.source_gadget_id}`}>{gadget?.name ?? '…'}</NameLink> is{' '}
              <bdi>{state?.name ?? fire.source_state_id}</bdi>
            </span>,
          ],
          [
            t('Held open'),
            <bdi key="doors">Doors that people leave only by a signal{released && `, and ${released}`}</bdi>,
          ],
        ]}
      />
      {fire.since && <Reset site={site} fire={fire} />}
    </>
  )
}

function Now({ fire: { since, cleared_at }, zone }: { fire: Fire; zone: SiteZone | undefined }) {
  if (!since) return t('No fire')
  return (
    <>
      <Badge color={cleared_at ? 'yellow' : 'red'} leftSection={<IconFlame size={12} aria-hidden />}>
        Fire
      </Badge>{' '}
      since {cleared_at ? momentAt(since, zone) : inZone(momentAt(since, zone), zone)}
      {cleared_at ? `. The contact cleared at ${inZone(momentAt(cleared_at, zone), zone)}.` : '.'}
    </>
  )
}

function Reset({ site, fire }: { site: Site; fire: Fire }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  if (!may_write) return null
  if (!fire.cleared_at)
    return <p className="sites-fire soft">It can be reset once the contact has cleared.</p>
  const reset = async () => {
    try {
      await client.sites.fire_reset(site.id)
    } catch (error) {
      showFailure(error, t('Could not reset the fire alarm'))
    }
    refresh('sites', 'gadgets', 'modes')
  }
  return (
    <div className="sites-fire">
      <HoldButton label="Hold to reset" about={`fire alarm of ${site.name}`} onHeld={reset} />
    </div>
  )
}
