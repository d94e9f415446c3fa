import { Button } from '@mantine/core'
import { IconBolt, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { QueryOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { Page } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { useApi } from '../session/use-api.ts'
import { EditTrigger } from './edit-trigger.tsx'
import { type Trigger, triggerExpands } from './trigger.ts'
import { Source, Target } from './trigger-words.tsx'

const columns: readonly Column<Trigger>[] = [
  { title: 'When', width: '2fr', render: trigger => <Source trigger={trigger} /> },
  { title: 'Run', width: '2fr', render: trigger => <Target trigger={trigger} /> },
  { title: 'Site', width: '1fr', on_phone: false, render: ({ site }) => <Name>{site?.name}</Name> },
]
const query = { expand: triggerExpands } as QueryOf<'gadget_triggers'>

/** Triggers have no names, so there is nothing to search for: they are read. */
export function TriggerList() {
  const { may_write } = useApi()
  const [params] = useSearchParams()
  const [is_adding, setAdding] = useState(params.has('new'))
  const list = useList<'gadget_triggers', Trigger>('gadget_triggers', query)
  return (
    <Page
      title="Triggers"
      actions={
        may_write && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
            New trigger
          </Button>
        )
      }
    >
      <Rows
        label="Triggers"
        list={list}
        columns={columns}
        href={({ id }) => `/triggers/${id}`}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconBolt />}
            title="There are no triggers yet"
            action={may_write && <Button onClick={() => setAdding(true)}>Make the first trigger</Button>}
          >
            A trigger moves one gadget when another changes or signals, or when a schedule begins or ends. Its
            devices run it by themselves, even without internet.
          </Empty>
        }
      />
      {is_adding && <EditTrigger onClose={() => setAdding(false)} />}
    </Page>
  )
}
