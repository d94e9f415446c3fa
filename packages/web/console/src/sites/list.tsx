import type { ItemOf } from '../data/collections.ts'
import { IconBuilding } from '../icons/icons.ts'
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
    width: '230px',
    phone_width: '90px',
    render: site => <LocalTime site={site} />,
  },
  { title: 'Tags', width: '1fr', on_phone: false, render: ({ tag_ids }) => <Tags ids={tag_ids} /> },
]

export function SiteList() {
  const { sees_all } = useApi()
  return (
    <ListPage
      title="Sites"
      plural="sites"
      columns={columns}
      query={{ sort: 'name:asc' }}
      href={({ id }) => `/sites/${id}`}
      deleted={{ label: 'Show sites', title: 'No deleted sites' }}
      adding={{
        label: 'New site',
        first: 'Create your first site',
        may_add: sees_all,
        dialog: close => <EditSite onClose={close} />,
      }}
      empty={{
        icon: <IconBuilding />,
        title: 'No sites yet',
        about:
          'A site is a place with its own time zone: a building, a floor, a house. Create one, then add devices to it.',
      }}
    />
  )
}
