import { useMemo } from 'react'
import type { QueryOf } from '../data/collections.ts'
import { IconDoor } from '../icons/icons.ts'
import { ModeBadge } from '../modes/mode-badge.tsx'
import type { Door } from '../overview/door.ts'
import { DoorActions } from '../overview/door-actions.tsx'
import { useWhitelabel } from '../overview/use-whitelabel.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import { OnlineDot } from '../parts/online-dot.tsx'
import type { Column } from '../parts/rows.tsx'
import { Tags } from '../parts/tags.tsx'
import { Ago } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { NewGadget } from './new-gadget.tsx'

const columns: readonly Column<Door>[] = [
  {
    title: 'Name',
    width: '2fr',
    render: ({ name, device, site }) => (
      <span className="two-lines">
        <OnlineDot is_online={device?.status.online} /> <Name>{name}</Name>
        <span className="on-phone soft">
          <br />
          {site?.name}
        </span>
      </span>
    ),
  },
  {
    title: 'Site',
    width: '1.5fr',
    on_phone: false,
    render: ({ site }) => (
      <span className="two-lines">
        <Name>{site?.name}</Name>
      </span>
    ),
  },
  {
    title: 'Mode',
    width: '120px',
    phone_width: '96px',
    render: ({ mode }) => (mode ? <ModeBadge mode={mode} /> : <span className="soft">–</span>),
  },
  {
    title: 'State',
    width: '1fr',
    on_phone: false,
    render: ({ states, state_id }) => (
      <span className="soft">{states.find(({ id }) => id === state_id)?.name ?? '–'}</span>
    ),
  },
  {
    title: 'Last used',
    width: '110px',
    on_phone: false,
    render: ({ last_action_at }) => (
      <span className="soft">{last_action_at ? <Ago at={last_action_at} /> : 'Never'}</span>
    ),
  },
  { title: 'Tags', width: '1fr', on_phone: false, render: ({ tag_ids }) => <Tags ids={tag_ids} /> },
]

const query = { sort: 'name:asc', expand: ['site', 'device'] } as QueryOf<'gadgets'>

function useColumns(): readonly Column<Door>[] {
  const { may_run_doors } = useApi()
  const whitelabel = useWhitelabel()
  return useMemo(() => {
    const actions: Column<Door> = {
      title: 'Actions',
      is_actions: true,
      width: '118px',
      phone_width: '88px',
      render: door => !door.is_deleted && <DoorActions door={door} whitelabel={whitelabel} />,
    }
    return may_run_doors ? [...columns, actions] : columns
  }, [may_run_doors, whitelabel])
}

export function GadgetList() {
  return (
    <ListPage
      title="Doors"
      plural="gadgets"
      columns={useColumns()}
      query={query}
      href={({ id }) => `/gadgets/${id}`}
      search="Search doors"
      deleted={{ label: 'Show doors', title: 'No deleted doors' }}
      adding={{
        label: 'New door',
        first: 'Add your first door',
        dialog: close => <NewGadget onClose={close} />,
      }}
      empty={{
        icon: <IconDoor />,
        title: 'No doors yet',
        about:
          'A door is whatever a device opens or switches: a door, a gate, a lift, a light. Add a device first, then its doors.',
      }}
    />
  )
}
