import { Button } from '@mantine/core'
import { useState } from 'react'
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
import { MemberFilterBar } from './filter-bar.tsx'
import { readFilters, sortOf, toQuery } from './filters.ts'
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

export function MemberList() {
  const { may_write } = useApi()
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const { show } = filters
  // One time for all pages of the list, and for what is done to all that match.
  const [now] = useState(() => new Date().toISOString())
  const query = toQuery(filters, now)
  const q = params.get('q')
  const filter: Record<string, string> = { ...query, ...(q && { q }) }
  const change = (name: string, value: string | null) =>
    setParams(held => {
      const next = new URLSearchParams(held)
      if (value === null) next.delete(name)
      else next.set(name, value)
      return next
    })
  const selection = useSelection(JSON.stringify(filter))
  // What is deleted is restored one by one.
  const may_select = may_write && show !== 'deleted'
  return (
    <ListPage
      title="Members"
      plural="members"
      columns={columns}
      href={({ id }) => `/members/${id}`}
      query={{ ...query, ...sortOf(filters) } as QueryOf<'members'>}
      select={may_select ? { selection, nameOf: ({ name, id }) => name || id } : undefined}
      above={
        <>
          <MemberFilterBar filters={filters} onChange={change} />
          {may_select && <SelectionBar selection={selection} filter={filter} />}
        </>
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
        first: Object.keys(filter).length === 0 ? 'Add your first member' : undefined,
        dialog: close => <NewMember onClose={close} />,
      }}
      empty={{
        icon: <IconUsers />,
        title: Object.keys(filter).length === 0 ? 'No members yet' : 'No matching members',
        about:
          'A member is a person or reservation with access. Add one by hand, import a CSV file, or connect your booking system.',
      }}
    />
  )
}
