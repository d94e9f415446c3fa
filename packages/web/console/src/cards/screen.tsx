import { Button, TextInput } from '@mantine/core'
import { IconCreditCard, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Route, Switch, useLocation, useParams } from 'wouter'
import type { ItemOf } from '../data/collections.ts'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useRemove } from '../data/use-remove.tsx'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { ListPage } from '../parts/list-page.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Name, NameLink } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import type { Column } from '../parts/rows.tsx'
import { Moment } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'

type Card = ItemOf<'cards'>

const columns: readonly Column<Card>[] = [
  { title: 'Name', width: '2fr', render: ({ name }) => <Name fallback="Without a name">{name}</Name> },
  {
    title: 'Printed code',
    width: '1fr',
    render: ({ printed_code }) => <span className="mono">{printed_code}</span>,
  },
  {
    title: 'UID',
    width: '1fr',
    on_phone: false,
    render: ({ uid }) => <span className="mono soft">{uid}</span>,
  },
]

export function Screen() {
  return (
    <Switch>
      <Route path="/cards" component={CardList} />
      <Route path="/cards/:id" component={CardDetail} />
    </Switch>
  )
}

function CardList() {
  const { may_write } = useApi()
  const [is_adding, setAdding] = useState(false)
  return (
    <ListPage
      title="Cards"
      plural="cards"
      columns={columns}
      href={({ id }) => `/cards/${id}`}
      search="Search by name or printed code"
      actions={
        may_write && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
            New card
          </Button>
        )
      }
      empty={
        <Empty icon={<IconCreditCard />} title="There are no cards yet">
          Add cards by the UID that a reader shows or by the code printed on them; then hand them to members.
        </Empty>
      }
    >
      {is_adding && <NewCard onClose={() => setAdding(false)} />}
    </ListPage>
  )
}

function NewCard({ onClose }: { onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft({ name: '', uid: '', printed_code: '' }, async ({ name, uid, printed_code }) => {
    await client.cards.create({
      ...(name && { name }),
      ...(uid && { uid }),
      ...(printed_code && { printed_code }),
    })
    refresh('cards')
    onClose()
  })
  return (
    <FormModal title="New card" opened onClose={onClose} draft={draft} action="Add card">
      <DeclaredField kind="card" name="name" label="Name" draft={draft} autoFocus />
      <DeclaredField kind="card" name="uid" label="UID" draft={draft} />
      <DeclaredField kind="card" name="printed_code" label="Printed code" draft={draft} />
    </FormModal>
  )
}

type Held = Card & {
  readonly member_cards?: readonly {
    readonly id: string
    readonly member_id: string
    readonly member?: { readonly name: string | null }
  }[]
}

function CardDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'cards', Held>('cards', id, ['member_cards.member'])
  if (error) return <Failure error={error} retry={refetch} />
  if (!data) return <LoadingPage />
  return <Shown card={data} />
}

function Shown({ card }: { card: Held }) {
  const { client, may_write } = useApi()
  const remove = useRemove()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const draft = useDraft({ name: card.name ?? '' }, async ({ name }) => {
    await client.cards.edit(card.id, { name: name || null })
    refresh('cards')
  })
  const title = card.name || card.printed_code || card.uid || 'Card'
  const removeCard = async () => {
    const done = await remove({
      name: title,
      plurals: ['cards'],
      remove: () => client.cards.delete(card.id),
      restore: () => client.cards.edit(card.id, { is_deleted: false }),
    })
    if (done) go('/cards')
  }
  const [holder] = card.member_cards ?? []
  return (
    <Page
      title={title}
      narrow
      trail={[['Cards', '/cards']]}
      actions={
        may_write && (
          <Button variant="subtle" color="red" leftSection={<IconTrash size={14} />} onClick={removeCard}>
            Delete
          </Button>
        )
      }
    >
      <Section title="Card">
        <Facts
          facts={[
            [
              'UID',
              <span key="uid" className="mono">
                {card.uid ?? '–'}
              </span>,
            ],
            [
              'Printed code',
              <span key="code" className="mono">
                {card.printed_code ?? '–'}
              </span>,
            ],
            [
              'Held by',
              holder ? (
                <NameLink key="by" href={`/members/${holder.member_id}`}>
                  {holder.member?.name}
                </NameLink>
              ) : (
                'Nobody'
              ),
            ],
            ['Added', <Moment key="at" at={card.created_at} />],
            [
              'Id',
              <span key="id" className="mono">
                {card.id}
              </span>,
            ],
          ]}
        />
      </Section>
      {may_write && (
        <Section title="Name">
          <form onSubmit={draft.submit} className="toolbar">
            <TextInput
              aria-label="Name of the card"
              value={draft.values.name}
              maxLength={255}
              error={draft.errorOf('name')}
              onChange={event => draft.set('name', event.currentTarget.value)}
            />
            <Button type="submit" variant="default" disabled={!draft.is_dirty} loading={draft.is_saving}>
              Save
            </Button>
          </form>
        </Section>
      )}
    </Page>
  )
}
