import type { Page } from '@gatehouse-access/sdk'
import { useLocation, useSearchParams } from 'wouter'
import { usePages } from '../../data/use-list.ts'
import { IconSend } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { capital } from '../../parts/capital.ts'
import { Empty } from '../../parts/empty.tsx'
import { Section } from '../../parts/page.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { Ago } from '../../parts/time.tsx'
import { useApi } from '../../session/use-api.ts'
import type { Delivery } from '../applications/account-objects.ts'
import { DeliveryDrawer } from './delivery.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { ruleWords } from './rules.ts'
import { useWhilePending } from './while-pending.ts'

const columns: readonly Column<Delivery>[] = [
  { title: 'Event', width: '2fr', render: ({ event }) => eventWords(event) },
  { title: 'Status', width: '105px', render: delivery => <DeliveryState {...delivery} /> },
  {
    title: 'Response',
    width: '130px',
    on_phone: false,
    render: ({ attempts }) => <LastAnswer attempts={attempts} />,
  },
  { title: 'Attempts', width: '70px', on_phone: false, render: ({ attempts }) => attempts.length },
  {
    title: 'When',
    width: '90px',
    render: ({ created_at }) => (
      <span className="soft">
        <Ago at={created_at} />
      </span>
    ),
  },
]

function eventWords(event: Delivery['event']): string {
  if (!event) return t('Event no longer stored')
  const { object, verb } = event
  if (object.type === 'webhook' && verb === 'use') return t('Test event')
  return capital(ruleWords({ object_type: object.type, verb }))
}

function LastAnswer({ attempts }: Pick<Delivery, 'attempts'>) {
  const last = attempts.at(-1)
  if (!last) return <span className="soft">–</span>
  return (
    <span className="soft">
      {last.status_code ?? last.error?.replaceAll('_', ' ')}, {last.latency} ms
    </span>
  )
}

/** Lists the deliveries, newest first. Refreshes automatically while any delivery is pending. */
export function Deliveries({ path }: { path: string }) {
  const { account } = useApi()
  const [here] = useLocation()
  const [params, setParams] = useSearchParams()
  const list = usePages(['account', `${path}/deliveries`], cursor =>
    account<Page<Delivery>>(
      'GET',
      `${path}/deliveries?expand=event&limit=50${cursor ? `&cursor=${cursor}` : ''}`,
    ),
  )
  useWhilePending(list.items, list.refetch)
  const shown = params.get('delivery')
  return (
    <Section title="Deliveries" about="Kept for 30 days" flush>
      <Rows
        label="Deliveries"
        list={list}
        columns={columns}
        href={({ id }) => `${here}?delivery=${id}`}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<IconSend />} title="No deliveries yet">
            Send a test event to check your receiver, or wait for an event that matches the rules.
          </Empty>
        }
      />
      {shown && <DeliveryDrawer path={path} id={shown} onClose={() => setParams({})} />}
    </Section>
  )
}
