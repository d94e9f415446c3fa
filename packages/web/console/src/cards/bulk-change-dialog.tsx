import { Modal, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../data/collections.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { BulkDialog } from '../parts/bulk-dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { someNames } from '../parts/some-names.ts'
import { useApi } from '../session/use-api.ts'
import { type ChangeKind, changeKinds } from './bulk-change.ts'
import { type Card, holderOf } from './card.ts'
import { loadSelected, mostCards, type Selected } from './selected-cards.ts'
import { type Refused, useBulkChange } from './use-bulk-change.ts'

interface BulkChangeProps {
  readonly kind: ChangeKind
  readonly selected: Selected
  readonly onClose: () => void
  /** Called once the change is made, with the cards that were refused. */
  readonly onDone: (refused: readonly Refused[]) => void
}

/** Says who loses which cards, and reports all that are selected lost, or deletes them. */
export function BulkChangeDialog(props: BulkChangeProps) {
  const { client, organization } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'selected_cards', props.selected),
    queryFn: ({ signal }) => loadSelected(client, props.selected, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const is_too_many = data !== undefined && data.length > mostCards
  if (data && !is_too_many) return <Shown {...props} cards={data} />
  return (
    <Modal opened onClose={props.onClose} title={changeKinds[props.kind].title} size="sm">
      {is_too_many && (
        <Text size="sm">
          More than {mostCards.toLocaleString(locale)} cards match. Filter the list until fewer do.
        </Text>
      )}
      {error && <Failure error={error} retry={refetch} />}
      {!data && !error && <LoadingLines />}
    </Modal>
  )
}

function Shown({
  kind,
  selected,
  cards,
  onClose,
  onDone,
}: BulkChangeProps & { readonly cards: readonly Card[] }) {
  const { title, about, sayAction } = changeKinds[kind]
  const [done, setDone] = useState<number>()
  const change = useBulkChange(kind)
  const wanted = cards.filter(({ is_lost, is_deleted }) => !is_lost && !is_deleted)
  const count = wanted.length
  const all = 'ids' in selected ? selected.ids.length : cards.length
  const stay = all - count
  return (
    <BulkDialog
      title={title}
      numbers={[
        [t('Selected'), all],
        [kind === 'delete' ? t('Will be deleted') : t('Will be reported lost'), count],
        ...(stay > 0 ? [[t('Lost or deleted already'), stay] as const] : []),
      ]}
      action={sayAction(count)}
      is_deletion={kind === 'delete'}
      is_empty={count === 0}
      failed={t('Could not change the cards')}
      onClose={onClose}
      onConfirm={async () => {
        const refused = await change(wanted, setDone)
        onClose()
        onDone(refused)
      }}
    >
      <Text size="sm">{lossOf(wanted)}</Text>
      <Text size="sm">{about}</Text>
      {done !== undefined && (
        <div role="status">
          <Progress aria-label="How much is done" value={(100 * done) / count} />
          <Text
            size="xs"
            c="dimmed"
          >{`${done.toLocaleString(locale)} of ${count.toLocaleString(locale)}`}</Text>
        </div>
      )}
    </BulkDialog>
  )
}

/** Says whose cards they are. */
function lossOf(cards: readonly Card[]): string {
  const names = cards.flatMap(card => {
    const holder = holderOf(card)
    return holder ? [holder.member?.name || t('Unnamed')] : []
  })
  if (names.length === 0) return t('No one has any of these cards.')
  return t(`Who loses a card: ${someNames(names)}.`)
}
