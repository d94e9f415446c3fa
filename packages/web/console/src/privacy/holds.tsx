import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { Button, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useList } from '../data/use-list.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { MomentInput } from '../form/moment-input.tsx'
import { PickMany } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { Confirm } from '../parts/confirm.tsx'
import { zoneWords } from '../parts/door-time.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { formatMoment } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { useOwnZone } from '../sites/own-time.tsx'
import './privacy.css'

type Hold = ObjectOf<Resources['legal_hold']>

/** What a legal matter needs is neither erased nor expires. Owners set holds and release them. */
export function Holds({ is_owner }: { is_owner: boolean }) {
  const [is_adding, adding] = useDisclosure(false)
  const list = useList<'legal_holds', Hold>('legal_holds', { sort: 'expires_at:asc' }, { page: 50 })
  return (
    <Section
      title="Legal holds"
      about={is_owner ? 'What a hold covers is neither erased nor expires' : 'Owners set and release holds'}
      actions={
        is_owner && (
          <Button size="xs" variant="default" onClick={adding.open}>
            New hold
          </Button>
        )
      }
      flush
    >
      {list.error && <Failure error={list.error} retry={list.refetch} />}
      {list.is_loading && !list.error && (
        <div className="section-body">
          <LoadingLines lines={2} />
        </div>
      )}
      {!list.is_loading && list.items.length === 0 && <Empty title="No legal holds" />}
      <ul className="hold-list" aria-label="Legal holds">
        {list.items.map(hold => (
          <HoldLine key={hold.id} hold={hold} is_owner={is_owner} />
        ))}
      </ul>
      {list.has_more && (
        <Button variant="subtle" size="xs" m="xs" onClick={list.loadMore}>
          Show more
        </Button>
      )}
      {is_adding && <NewHold onClose={adding.close} />}
    </Section>
  )
}

function HoldLine({ hold, is_owner }: { hold: Hold; is_owner: boolean }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [is_asking, asking] = useDisclosure(false)
  const zone = useOwnZone()
  const release = async () => {
    await client.legal_holds.delete(hold.id)
    refresh('legal_holds', 'erasures')
  }
  return (
    <li className="hold-row">
      <div>
        <Text size="sm" fw={500}>
          <bdi>{hold.name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {zone ? `${coverWords(hold)} (${zoneWords(zone)})` : coverWords(hold)}
        </Text>
      </div>
      {is_owner && (
        <Button
          size="xs"
          variant="default"
          flex="none"
          onClick={asking.open}
          aria-label={`Release ${hold.name}`}
        >
          Release
        </Button>
      )}
      {is_asking && (
        <Confirm
          title="Release the hold"
          action="Release"
          failed="Could not release the hold"
          onConfirm={release}
          onClose={asking.close}
        >
          What only <bdi>{hold.name}</bdi> has kept is erased or expires from now on. This cannot be undone.
        </Confirm>
      )}
    </li>
  )
}

/** Says what a hold covers, and until when: `2 members, at 1 door, until 3 May 2027`. */
function coverWords({ reference, member_ids, gadget_ids, starts_at, ends_at, expires_at }: Hold): string {
  const count = (ids: readonly string[], noun: string) =>
    `${ids.length} ${noun}${ids.length === 1 ? '' : 's'}`
  return [
    reference,
    member_ids ? count(member_ids, 'member') : t('Everybody'),
    gadget_ids && t(`at ${count(gadget_ids, 'door')}`),
    starts_at && t(`from ${formatMoment(starts_at)}`),
    ends_at && t(`to ${formatMoment(ends_at)}`),
    t(`ends ${formatMoment(expires_at)}`),
  ]
    .filter(Boolean)
    .join(', ')
}

const year = 365 * 86_400_000

interface Values {
  readonly name: string
  readonly reference: string
  readonly member_ids: readonly string[]
  readonly gadget_ids: readonly string[]
  readonly starts_at: string | null
  readonly ends_at: string | null
  readonly expires_at: string | null
}

const blank: Omit<Values, 'expires_at'> = {
  name: '',
  reference: '',
  member_ids: [],
  gadget_ids: [],
  starts_at: null,
  ends_at: null,
}

function NewHold({ onClose }: { onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const in_a_year = new Date(Math.ceil((Date.now() + year) / 60_000) * 60_000).toISOString()
  const draft = useDraft<Values>(
    { ...blank, expires_at: in_a_year },
    async ({ name, reference, member_ids, gadget_ids, starts_at, ends_at, expires_at }) => {
      await client.legal_holds.create({
        name: name.trim(),
        expires_at: expires_at ?? '',
        ...(reference.trim() && { reference: reference.trim() }),
        ...(member_ids.length > 0 && { member_ids: [...member_ids] }),
        ...(gadget_ids.length > 0 && { gadget_ids: [...gadget_ids] }),
        ...(starts_at && { starts_at }),
        ...(ends_at && { ends_at }),
      })
      refresh('legal_holds', 'erasures')
      onClose()
    },
    t('Could not set the hold'),
  )
  const { values, set, errorOf } = draft
  return (
    <FormModal
      title="New legal hold"
      opened
      onClose={onClose}
      draft={draft}
      action="Set hold"
      is_empty={values.name.trim() === '' || !values.expires_at}
    >
      <TextInput
        label="Name"
        description="What it is about"
        data-autofocus
        maxLength={255}
        value={values.name}
        error={errorOf('name')}
        onChange={event => set('name', event.currentTarget.value)}
      />
      <TextInput
        label="Case number"
        maxLength={64}
        value={values.reference}
        error={errorOf('reference')}
        onChange={event => set('reference', event.currentTarget.value)}
      />
      <PickMany
        plural="members"
        label="Members"
        description="Leave empty to keep what is about anybody"
        value={values.member_ids}
        error={errorOf('member_ids')}
        onChange={ids => set('member_ids', ids)}
      />
      <PickMany
        plural="gadgets"
        label="Doors"
        description="Leave empty to keep what happened anywhere"
        value={values.gadget_ids}
        error={errorOf('gadget_ids')}
        onChange={ids => set('gadget_ids', ids)}
      />
      <MomentInput
        label="What happened from"
        value={values.starts_at}
        error={errorOf('starts_at')}
        onChange={value => set('starts_at', value)}
      />
      <MomentInput
        label="What happened before"
        value={values.ends_at}
        error={errorOf('ends_at')}
        onChange={value => set('ends_at', value)}
      />
      <MomentInput
        label="The hold ends"
        description="At most 5 years ahead"
        value={values.expires_at}
        error={errorOf('expires_at')}
        onChange={value => set('expires_at', value)}
      />
    </FormModal>
  )
}
