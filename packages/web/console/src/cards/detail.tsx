import { Badge, Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { NameLink } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import { type Card, holderOf, titleOf } from './card.ts'
import { Holder } from './holder.tsx'
import { LostButton } from './lost.tsx'

const expands = ['member_cards.member', 'last_member_card.member']

export function CardDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'cards', Card>('cards', id, expands)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown card={data} />
}

function Shown({ card }: { card: Card }) {
  const { client, is_viewer, may_write } = useApi()
  const refresh = useRefresh()
  const draft = useDraft({ name: card.name ?? '' }, async ({ name }) => {
    await client.cards.edit(card.id, { name: name || null })
    refresh('cards')
  })
  const title = titleOf(card)
  const removal = {
    id: card.id,
    name: title,
    plurals: ['cards'],
    remove: () => client.cards.delete(card.id),
    restore: () => client.cards.edit(card.id, { is_deleted: false }),
  }
  const holder = holderOf(card)
  const losses = async () =>
    holder ? [t(`${holder.member?.name || 'A member'} can no longer open doors with it.`)] : []
  return (
    <Page
      title={title}
      narrow
      trail={[[t('Cards'), '/cards']]}
      badge={
        (card.is_deleted || card.is_lost) && (
          <Badge color="red">{card.is_lost ? t('Lost') : t('Deleted', 'card')}</Badge>
        )
      }
      actions={
        <>
          {may_write && !card.is_lost && (
            <RemoveButton removal={removal} back="/cards" is_deleted={card.is_deleted} losses={losses} />
          )}
          {/* Front desks report cards, although they change nothing else here. */}
          {!is_viewer && !card.is_deleted && <LostButton card={card} />}
        </>
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
              t('Printed code'),
              <span key="code" className="mono">
                {card.printed_code ?? '–'}
              </span>,
            ],
            ...lostFacts(card),
            [t('Added', 'card'), <OwnTime key="at" at={card.created_at} />],
            [
              'ID',
              <span key="id" className="mono">
                {card.id}
              </span>,
            ],
          ]}
        />
      </Section>
      <Holder card={card} />
      {may_write && !card.is_deleted && (
        <Section title="Name">
          <form onSubmit={draft.submit} className="toolbar">
            <TextInput
              aria-label="Card name"
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

function lostFacts({ lost_at, lost_reason, last_member_card: last }: Card): [string, ReactNode][] {
  if (!lost_at) return []
  const facts: [string, ReactNode][] = [
    [t('Lost'), <OwnTime key="lost" at={lost_at} />],
    [t('How'), <bdi key="how">{lost_reason || '–'}</bdi>],
  ]
  if (!last) return facts
  const holder = (
    <NameLink key="holder" href={`/members/${last.member_id}`}>
      {last.member?.name}
    </NameLink>
  )
  return [...facts, [t('Last assigned to'), holder]]
}
