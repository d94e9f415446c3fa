import type { SiteZone } from '@gatehouse-access/api'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { ItemOf, QueryOf } from '../data/collections.ts'
import { IconUpload, IconUsers } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { ColumnChoice, useColumns } from '../lists/columns.tsx'
import { useListParams } from '../lists/use-list-params.ts'
import { Views } from '../lists/views.tsx'
import { dayAt, zoneWords } from '../parts/door-time.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { useSelection } from '../parts/selection.tsx'
import { Tags } from '../parts/tags.tsx'
import { browserZone } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { ExportButton } from './export-button.tsx'
import { MemberFilterBar } from './filter-bar.tsx'
import { memberViews, readFilters, sortOf, toQuery } from './filters.ts'
import { MemberSelection } from './member-selection.tsx'
import { NewMember } from './new-member.tsx'
import { StandingBadge } from './standing.tsx'
import { useDatesZone } from './use-dates-zone.ts'

type Member = ItemOf<'members'>

const columnsIn = (zone: SiteZone | undefined): readonly Column<Member>[] => [
  { title: 'Name', width: '2fr', sort: 'name', render: ({ name }) => <Name>{name}</Name> },
  { id: 'status', title: 'Status', width: '90px', render: member => <StandingBadge member={member} /> },
  dates('starts_at', t('From'), zone),
  dates('ends_at', t('Until'), zone),
  {
    id: 'tags',
    title: 'Tags',
    width: '1fr',
    on_phone: false,
    render: ({ tag_ids }) => <Tags ids={tag_ids} />,
  },
  dates('created_at', t('Added')),
  words('external_id', t('External ID')),
  words('language', t('Language')),
]

/** In a zone of sites, or in that of the browser. */
function dates(id: 'starts_at' | 'ends_at' | 'created_at', title: string, zone?: SiteZone): Column<Member> {
  return { id, title, width: '110px', on_phone: false, sort: id, render: member => day(member[id], zone) }
}

function words(id: 'external_id' | 'language', title: string): Column<Member> {
  const render = (member: Member) => <span className="soft">{member[id] ?? '–'}</span>
  return { id, title, width: '110px', on_phone: false, is_extra: true, render }
}

function day(timestamp: string | null, zone: SiteZone | undefined) {
  return <span className="soft">{timestamp ? dayAt(timestamp, zone) : '–'}</span>
}

/** Names the zone of the dates that are shown. */
function datesNote(shown: readonly Column<Member>[], zone: SiteZone | undefined): string | undefined {
  const titles = shown.filter(({ id }) => id === 'starts_at' || id === 'ends_at').map(({ title }) => title)
  if (titles.length === 0) return undefined
  return `${titles.join(t(' and '))}: ${zoneWords(zone?.timezone ?? browserZone)}`
}

export function MemberList() {
  const { may_write, sees_all } = useApi()
  const [params, change] = useListParams()
  const filters = readFilters(params)
  const { show } = filters
  // One time for all pages of the list, and for what is done to all that match.
  const [now] = useState(() => new Date().toISOString())
  const query = toQuery(filters, now)
  const q = params.get('q')
  const filter: Record<string, string> = { ...query, ...(q && { q }) }
  const sort = sortOf(filters)
  const { site_id, member_group_id } = filters
  const { zone } = useDatesZone({ site_id, group_ids: member_group_id ? [member_group_id] : [] })
  const columns = useMemo(() => columnsIn(zone), [zone])
  const chosen = useColumns('members', columns)
  const selection = useSelection(JSON.stringify(filter))
  // What is deleted is restored one by one.
  const may_select = may_write && sees_all && show !== 'deleted'
  return (
    <ListPage
      title="Members"
      plural="members"
      columns={chosen.shown}
      href={({ id }) => `/members/${id}`}
      query={{ ...query, sort } as QueryOf<'members'>}
      order={{ sort, onChange: value => change('sort', value) }}
      filters={<ColumnChoice columns={chosen} />}
      select={may_select ? { selection, nameOf: ({ name, id }) => name || id } : undefined}
      above={
        <>
          <Views list="members" given={memberViews} columns={chosen} />
          <MemberFilterBar filters={filters} onChange={change} dates_note={datesNote(chosen.shown, zone)} />
          {may_select && <MemberSelection selection={selection} filter={filter} />}
        </>
      }
      actions={
        sees_all && (
          <>
            <ExportButton />
            {may_write && (
              <Button
                component={Link}
                href="/members/import"
                variant="default"
                leftSection={<IconUpload size={14} />}
              >
                Import…
              </Button>
            )}
          </>
        )
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
