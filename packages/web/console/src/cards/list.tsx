import { Button } from '@mantine/core'
import { Link } from 'wouter'
import type { QueryOf } from '../data/collections.ts'
import { IconCreditCard, IconUpload } from '../icons/icons.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { useApi } from '../session/use-api.ts'
import { type Card, holderOf } from './card.ts'
import { NewCard } from './new-card.tsx'

const columns: readonly Column<Card>[] = [
  { title: 'Name', width: '2fr', render: ({ name }) => <Name fallback="Unnamed">{name}</Name> },
  {
    title: 'Assigned to',
    width: '1.5fr',
    render: card => <Holder card={card} />,
  },
  {
    title: 'Printed code',
    width: '1fr',
    on_phone: false,
    render: ({ printed_code }) => <span className="mono">{printed_code ?? '–'}</span>,
  },
  {
    title: 'UID',
    width: '1fr',
    on_phone: false,
    render: ({ uid }) => <span className="mono soft">{uid ?? '–'}</span>,
  },
]

function Holder({ card }: { card: Card }) {
  const holder = holderOf(card)
  if (card.is_lost) return <span className="soft">Lost</span>
  return holder ? <Name>{holder.member?.name}</Name> : <span className="soft">No one</span>
}

const query = { expand: ['member_cards.member'] } as QueryOf<'cards'>

export function CardList() {
  const { may_write } = useApi()
  return (
    <ListPage
      title="Cards"
      plural="cards"
      columns={columns}
      query={query}
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
            Import
          </Button>
        )
      }
      adding={{
        label: 'New card',
        first: 'Add your first card',
        dialog: close => <NewCard onClose={close} />,
      }}
      empty={{
        icon: <IconCreditCard />,
        title: 'No cards yet',
        about: 'Add a card by the UID a reader shows or the code printed on it, then assign it to a member.',
      }}
    />
  )
}
