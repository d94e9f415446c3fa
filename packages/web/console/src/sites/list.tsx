import { Button } from '@mantine/core'
import { IconBuilding, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { ItemOf } from '../data/collections.ts'
import { Empty } from '../parts/empty.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { Tags } from '../parts/tags.tsx'
import { useApi } from '../session/use-api.ts'
import { EditSite } from './edit-site.tsx'
import { LocalTime } from './local-time.tsx'

const columns: readonly Column<ItemOf<'sites'>>[] = [
  { title: 'Name', width: '1.5fr', render: ({ name }) => <Name>{name}</Name> },
  {
    title: 'Address',
    width: '2fr',
    on_phone: false,
    render: ({ map }) => <Name fallback="–">{map?.address}</Name>,
  },
  {
    title: 'Local time',
    width: '1fr',
    render: ({ timezone }) => <LocalTime zone={timezone} />,
  },
  { title: 'Tags', width: '1fr', on_phone: false, render: ({ tag_ids }) => <Tags ids={tag_ids} /> },
]

export function SiteList() {
  const { may_write } = useApi()
  const [params] = useSearchParams()
  const [is_adding, setAdding] = useState(params.has('new'))
  return (
    <ListPage
      title="Sites"
      plural="sites"
      columns={columns}
      query={{ sort: 'name:asc' }}
      href={({ id }) => `/sites/${id}`}
      actions={
        may_write && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
            New site
          </Button>
        )
      }
      empty={
        <Empty
          icon={<IconBuilding />}
          title="There are no sites yet"
          action={may_write && <Button onClick={() => setAdding(true)}>Make the first site</Button>}
        >
          A site is a place with its own time zone: a building, a floor, a house. Make one, then add devices
          to it.
        </Empty>
      }
    >
      {is_adding && <EditSite onClose={() => setAdding(false)} />}
    </ListPage>
  )
}
