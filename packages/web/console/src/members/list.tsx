import { Button, SegmentedControl } from '@mantine/core'
import { Link, useSearchParams } from 'wouter'
import type { ItemOf, QueryOf } from '../data/collections.ts'
import { IconUpload, IconUsers } from '../icons/icons.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { useSelection } from '../parts/selection.tsx'
import { Tags } from '../parts/tags.tsx'
import { formatDay } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { ExportButton } from './export-button.tsx'
import { NewMember } from './new-member.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { StandingBadge } from './standing.tsx'

type Member = ItemOf<'members'>

const columns: readonly Column<Member>[] = [
  { title: 'Name', width: '2fr', render: ({ name }) => <Name>{name}</Name> },
  { title: 'Status', width: '90px', render: member => <StandingBadge member={member} /> },
  { title: 'From', width: '110px', on_phone: false, render: ({ starts_at }) => day(starts_at) },
  { title: 'Until', width: '110px', on_phone: false, render: ({ ends_at }) => day(ends_at) },
  { title: 'Tags', width: '1fr', on_phone: false, render: ({ tag_ids }) => <Tags ids={tag_ids} /> },
  { title: 'Added', width: '110px', on_phone: false, render: ({ created_at }) => day(created_at) },
]

function day(timestamp: string | null) {
  return <span className="soft">{timestamp ? formatDay(timestamp) : '–'}</span>
}

const filters = { all: 'All', present: 'Has end date', deleted: 'Deleted' } as const
const queries: Record<string, QueryOf<'members'>> = {
  all: {},
  present: { 'ends_at:gt': '1970-01-01T00:00:00Z', sort: 'ends_at:asc' },
  deleted: { is_deleted: true },
}

export function MemberList() {
  const { may_write } = useApi()
  const [params, setParams] = useSearchParams()
  const show = params.get('show') ?? 'all'
  const filter = filterOf(show, params.get('q'))
  const selection = useSelection(JSON.stringify(filter))
  // What is deleted is restored one by one.
  const may_select = may_write && show !== 'deleted'
  return (
    <ListPage
      title="Members"
      plural="members"
      columns={columns}
      href={({ id }) => `/members/${id}`}
      query={queries[show] ?? {}}
      select={may_select ? { selection, nameOf: ({ name, id }) => name || id } : undefined}
      above={may_select && <SelectionBar selection={selection} filter={filter} />}
      filters={
        <SegmentedControl
          size="xs"
          aria-label="Show members"
          value={show}
          onChange={value => setParams(value === 'all' ? {} : { show: value })}
          data={Object.entries(filters).map(([value, label]) => ({ value, label }))}
        />
      }
      actions={
        <>
          <ExportButton />
          {may_write && (
            <Button
              component={Link}
              href="/members/import"
              variant="default"
              leftSection={<IconUpload size={14} />}
            >
              Import
            </Button>
          )}
        </>
      }
      adding={{
        label: 'New member',
        first: show === 'all' ? 'Add your first member' : undefined,
        dialog: close => <NewMember onClose={close} />,
      }}
      empty={{
        icon: <IconUsers />,
        title: show === 'all' ? 'No members yet' : 'No matching members',
        about:
          'A member is a person or reservation with access. Add one by hand, import a CSV file, or connect your booking system.',
      }}
    />
  )
}

/** Returns the filters of the list, as a bulk edit takes them. */
function filterOf(show: string, q: string | null): Record<string, string> {
  const { sort: _, ...filters } = queries[show] ?? {}
  const texts = Object.entries(filters).map(([name, value]) => [name, String(value)])
  return { ...Object.fromEntries(texts), ...(q && { q }) }
}
