import type { ReactNode } from 'react'
import type { QueryOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { IconBolt } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { Page } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { useAdding } from '../parts/use-adding.tsx'
import { useDeleted } from '../parts/use-deleted.tsx'
import { EditTrigger } from './edit-trigger.tsx'
import { OfferRules } from './offer-rule.tsx'
import { type Trigger, triggerExpands } from './trigger.ts'
import { Source, Target } from './trigger-words.tsx'

const columns: readonly Column<Trigger>[] = [
  { title: 'When', width: '2fr', render: trigger => twoLines(<Source trigger={trigger} />) },
  { title: 'Run', width: '2fr', render: trigger => twoLines(<Target trigger={trigger} />) },
  { title: 'Site', width: '1fr', on_phone: false, render: ({ site }) => <Name>{site?.name}</Name> },
]

function twoLines(words: ReactNode) {
  return <span className="two-lines">{words}</span>
}

/** Has no search, because triggers have no names. */
export function TriggerList() {
  const { button, first_button, dialog } = useAdding({
    label: 'New trigger',
    first: 'Create your first trigger',
    dialog: close => <EditTrigger onClose={close} />,
  })
  const { is_deleted, choice } = useDeleted(t('Show triggers'))
  const query = { expand: triggerExpands, ...(is_deleted && { is_deleted }) } as QueryOf<'gadget_triggers'>
  const list = useList<'gadget_triggers', Trigger>('gadget_triggers', query)
  return (
    <Page title="Triggers" actions={button}>
      <div className="toolbar">{choice}</div>
      <OfferRules triggers={list.items.filter(trigger => !trigger.is_deleted)} />
      <Rows
        label="Triggers"
        list={list}
        columns={columns}
        href={({ id }) => `/triggers/${id}`}
        keyOf={({ id }) => id}
        empty={
          is_deleted ? (
            <Empty icon={<IconBolt />} title="No deleted triggers" />
          ) : (
            <Empty icon={<IconBolt />} title="No triggers yet" action={first_button}>
              A trigger runs an action on one door when another changes or sends a signal, or when a schedule
              starts or ends. Devices run triggers on their own, even without internet.
            </Empty>
          )
        }
      />
      {dialog}
    </Page>
  )
}
