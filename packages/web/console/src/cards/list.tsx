import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { QueryOf } from '../data/collections.ts'
import { IconCreditCard, IconUpload } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { ColumnChoice, useColumns } from '../lists/columns.tsx'
import { useListParams } from '../lists/use-list-params.ts'
import { Views } from '../lists/views.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { useSelection } from '../parts/selection.tsx'
import { formatDay } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { isSuspended } from '../suspensions/suspension.ts'
import { type Card, holderOf, titleOf } from './card.ts'
import { CardSelection } from './card-selection.tsx'
import { CardFilterBar } from './filter-bar.tsx'
import { cardViews, holderFilters, toQuery } from './filters.ts'
import { NewCard } from './new-card.tsx'

const columns: readonly Column<Card>[] = [
  {
    title: 'Name',
    width: '2fr',
    sort: 'name',
    render: ({ name, printed_code, uid }) => (
      <>
        <Name fallback="Unnamed">{name}</Name>
        <span className="below mono">{printed_code ?? uid}</span>
      </>
    ),
  },
  {
    id: 'member',
    title: 'Assigned to',
    width: '1.5fr',
    render: card => <Holder card={card} />,
  },
  {
    id: 'printed_code',
    title: 'Printed code',
    width: '1fr',
    sort: 'printed_code',
    on_phone: false,
    render: ({ printed_code }) => <span className="mono">{printed_code ?? '–'}</span>,
  },
  {
    id: 'uid',
    title: 'UID',
    width: '1fr',
    sort: 'uid',
    on_phone: false,
    render: ({ uid }) => <span className="mono soft">{uid ?? '–'}</span>,
  },
  {
    id: 'created_at',
    title: t('Added', 'card'),
    width: '110px',
    on_phone: false,
    sort: 'created_at',
    render: ({ created_at }) => <span className="soft">{formatDay(created_at)}</span>,
  },
]

function Holder({ card }: { card: Card }) {
  const holder = holderOf(card)
  if (card.is_lost) return <span className="soft">Lost</span>
  if (!holder) return <span className="soft">No one</span>
  if (isSuspended(holder))
    return (
      <span className="cards-suspended">
        <Name>{holder.member?.name}</Name>
        <span className="bad-ink">Card suspended</span>
      </span>
    )
  return (
    <span className="two-lines">
      <Name>{holder.member?.name}</Name>
    </span>
  )
}

export function CardList() {
  const { may_write } = useApi()
  const [params, change] = useListParams()
  const [now] = useState(() => Date.now())
  const { sort = '', ...filter } = toQuery(params, now)
  const chosen = useColumns('cards', columns)
  const show = params.get('show') ?? ''
  const q = params.get('q')
  const matching = { ...filter, ...(q && { q }) }
  const selection = useSelection(JSON.stringify(matching))
  // What is deleted is restored one by one, and what is lost is kept.
  const may_select = may_write && show !== 'deleted' && show !== 'lost'
  const is_filtered = ['show', 'when', ...holderFilters].some(name => params.has(name))
  return (
    <ListPage
      title="Cards"
      plural="cards"
      columns={chosen.shown}
      query={{ ...filter, sort, expand: ['member_cards.member'] } as QueryOf<'cards'>}
      order={{ sort, onChange: value => change('sort', value) }}
      filters={<ColumnChoice columns={chosen} />}
      select={may_select ? { selection, nameOf: titleOf } : undefined}
      above={
        <>
          <Views list="cards" given={cardViews} columns={chosen} />
          <CardFilterBar params={params} sort={sort} onChange={change} />
          {may_select && <CardSelection selection={selection} filter={matching} />}
        </>
      }
      href={({ id }) => `/cards/${id}`}
      search="Search by name or printed code"
      actions={
        may_write && (
          <Button
            component={Link}
            href="/cards/import"
            variant="default"
            leftSection={<IconUpload size={14} />}
          >
            Import…
          </Button>
        )
      }
      adding={{
        label: 'New card',
        first: is_filtered ? undefined : 'Add your first card',
        dialog: close => <NewCard onClose={close} />,
      }}
      empty={{
        icon: <IconCreditCard />,
        title: is_filtered ? 'No matching cards' : 'No cards yet',
        about: 'Add a card by the UID a reader shows or the code printed on it, then assign it to a member.',
      }}
    />
  )
}
