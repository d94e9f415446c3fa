import { Anchor, Button, Text } from '@mantine/core'
import { Link, useParams } from 'wouter'
import { useList } from '../data/use-list.ts'
import { useObject } from '../data/use-object.ts'
import { usePoll } from '../data/use-poll.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Name } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { Ago } from '../parts/time.tsx'
import { OwnTime } from '../sites/own-time.tsx'
import { ErasureProgress } from './erasure-progress.tsx'
import { type Erasure, erasureReasons, erasureStates } from './erasure-words.ts'

const columns: readonly Column<Erasure>[] = [
  {
    title: 'Erasure',
    width: '1.4fr',
    render: ({ reference, id }) => <bdi>{reference ?? `…${id.slice(-6)}`}</bdi>,
  },
  {
    title: 'State',
    width: '1fr',
    render: ({ state }) => <span className="soft">{erasureStates[state]}</span>,
  },
  { title: 'Events', width: '90px', on_phone: false, render: ({ counts }) => counts.events },
  {
    title: 'Requested',
    width: '120px',
    phone_width: '84px',
    render: ({ created_at }) => <Ago at={created_at} />,
  },
]

/** The newest erasures, and how far each is. */
export function Erasures() {
  const list = useList<'erasures', Erasure>('erasures', { sort: 'created_at:desc' }, { page: 20 })
  usePoll(
    list.items.some(({ state }) => state !== 'done' && state !== 'canceled'),
    'erasures',
  )
  return (
    <Section title="Erasures" about="Members who were taken out of everything, with a receipt each" flush>
      <Rows
        label="Erasures"
        list={list}
        is_tall
        columns={columns}
        href={({ id }) => `/privacy/erasures/${id}`}
        keyOf={({ id }) => id}
        empty={
          <Empty title="Nobody was erased yet">The page of a member has a section for it, Privacy.</Empty>
        }
      />
    </Section>
  )
}

/** One erasure with its receipt, ready to print for whoever asked for it. */
export function ErasureDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'erasures', Erasure>('erasures', id)
  usePoll(data !== undefined && data.state !== 'done' && data.state !== 'canceled', 'erasures')
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return (
    <Page
      title={data.reference ?? 'Erasure'}
      trail={[[t('Privacy'), '/privacy']]}
      narrow
      actions={<Button onClick={() => window.print()}>Print</Button>}
    >
      <div className="stack">
        <Section title="Progress">
          <ErasureProgress erasure={data} />
        </Section>
        <Section title="About">
          <Facts facts={aboutOf(data)} />
          <Text size="xs" c="dimmed" mt="sm">
            The receipt stands in an event of the audit chain, which the service signs every hour: it proves
            what was taken out of which events, and that nothing else of them was changed.
          </Text>
        </Section>
      </div>
    </Page>
  )
}

/** Once erased, nobody knows the name. */
function MemberName({ id }: { id: string }) {
  const { data } = useObject('members', id)
  return <Name fallback="Erased member">{data?.name}</Name>
}

function aboutOf({ id, member_id, reason, events, includes_cards, started_at, finished_at }: Erasure) {
  return [
    [t('Why'), erasureReasons[reason]],
    [t('Events at doors'), events === 'delete' ? t('Deleted whole') : t('Stay, without the member')],
    [t('Cards'), includes_cards ? t('Names and metadata erased') : t('Stay')],
    [t('Begun'), started_at ? <OwnTime key="begun" at={started_at} /> : '–'],
    [t('Finished'), finished_at ? <OwnTime key="finished" at={finished_at} /> : '–'],
    [
      t('Member'),
      <Anchor key="member" component={Link} href={`/members/${member_id}`} size="sm">
        <MemberName id={member_id} />
      </Anchor>,
    ],
    [
      t('ID of the member'),
      <span key="member-id" className="mono">
        {member_id}
      </span>,
    ],
    [
      'ID',
      <span key="id" className="mono">
        {id}
      </span>,
    ],
  ] as const
}
