import type { AccessMethod } from '@gatehouse-access/api'
import { Badge, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { keyOf } from '../data/collections.ts'
import { usePages } from '../data/use-list.ts'
import { useObject } from '../data/use-object.ts'
import { methodChoices, methodsText } from '../events/method-words.ts'
import { MomentInput } from '../form/moment-input.tsx'
import { Pick } from '../form/pick.tsx'
import { IconUserQuestion } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { FirstSteps } from '../overview/first-steps.tsx'
import { capital } from '../parts/capital.ts'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { Page } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import { type Holder, holderExpands, lackWords } from './lacks.ts'
import './groups.css'

interface Access {
  readonly member_id: string
  readonly access_methods: readonly AccessMethod[]
  readonly requires_location: boolean
  readonly member?: Holder
}

/** `lackOf`: what somebody has to be given first. */
const columnsFor = (lackOf: (access: Access) => string | undefined): readonly Column<Access>[] => [
  {
    title: 'Member',
    width: '2fr',
    render: ({ member }) => <Name>{member?.name}</Name>,
  },
  {
    title: 'Method',
    width: '2fr',
    render: ({ access_methods }) => <span className="soft">{capital(methodsText(access_methods))}</span>,
  },
  {
    title: 'Condition',
    width: '1fr',
    render: access => {
      const lack = lackOf(access)
      if (!lack && !access.requires_location) return null
      return (
        <>
          {access.requires_location && <Badge color="yellow">Near the site</Badge>}{' '}
          {lack && <span className="warn-ink">{lack}</span>}
        </>
      )
    },
  },
]

/** Answers who can open a door at a given time. The address holds the whole query. */
export function WhoCan() {
  const { client, organization } = useApi()
  const [params, setParams] = useSearchParams()
  const given = Object.fromEntries(params)
  const { gadget_id, action_id, at, access_method } = given
  const gadget = useObject('gadgets', gadget_id).data
  const { data: zone } = useZone(gadget?.site_id)
  const set = (name: string, value: string | null) => {
    const { [name]: _, ...rest } = given
    setParams(value === null ? rest : { ...rest, [name]: value })
  }
  const query = {
    ...(action_id && { action_id }),
    ...(at && { at }),
    ...(access_method && { access_method: access_method as AccessMethod }),
    expand: holderExpands,
    limit: 50,
  }
  const list = usePages<Access>(
    keyOf(organization.id, 'access', gadget_id, query),
    (cursor, signal) =>
      client.gadgets.access<{ member?: Holder }>(gadget_id as string, {
        ...query,
        ...(cursor && { cursor }),
        signal,
      }),
    gadget_id !== undefined,
  )
  const columns = useMemo(() => {
    const methodsOf = (access: Access) =>
      access_method ? [access_method as AccessMethod] : access.access_methods
    return columnsFor(
      access => access.member && lackWords(access.member, methodsOf(access), at ? Date.parse(at) : undefined),
    )
  }, [access_method, at])
  const has_doors = useHeadStart(gadget_id === undefined)
  return (
    <Page
      title="Who can open a door?"
      trail={[[t('Groups'), '/groups']]}
      subtitle="Checks the current rules for any point in time, and says who has no credential for it."
    >
      <div className="filters">
        <Pick
          plural="gadgets"
          label="Door"
          value={gadget_id ?? null}
          onChange={id => setParams(id ? { gadget_id: id } : {})}
        />
        <Select
          label="Action"
          placeholder="First action"
          clearable
          disabled={!gadget}
          value={action_id ?? null}
          onChange={value => set('action_id', value)}
          data={gadget?.actions.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
        <Select
          label="Method"
          placeholder="Any"
          clearable
          value={access_method ?? null}
          onChange={value => set('access_method', value)}
          data={methodChoices}
        />
        <div className="filters-wide">
          <MomentInput
            label={at ? 'Time' : 'Time (now)'}
            description=""
            value={at ?? null}
            onChange={value => set('at', value)}
            zone={zone}
          />
        </div>
      </div>
      {gadget_id ? (
        <Rows
          label="Members with access"
          list={list}
          is_tall
          columns={columns}
          keyOf={({ member_id }) => member_id}
          href={({ member_id }) => `/members/${member_id}?gadget=${gadget_id}`}
          empty={
            <Empty icon={<IconUserQuestion />} title="No one has access">
              No member has access to this door at that time. Choose another time, or change a group.
            </Empty>
          }
        />
      ) : has_doors === false ? (
        <FirstSteps />
      ) : (
        <Empty icon={<IconUserQuestion />} title="Choose a door">
          You will see every member who can open it at that time and by that method.
        </Empty>
      )}
    </Page>
  )
}

/**
 * Warms up the service while the user chooses a door: before its first answer, the service loads all rules of
 * the organization. Returns whether any door exists, once that is known.
 */
function useHeadStart(is_choosing: boolean): boolean | undefined {
  const { client, organization } = useApi()
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'access', 'head-start'),
    queryFn: async ({ signal }) => {
      const [any] = (await client.gadgets.list({ limit: 1, signal })).data
      if (any) await client.gadgets.access(any.id, { limit: 1, signal })
      return any !== undefined
    },
    enabled: is_choosing,
    retry: false,
    staleTime: query => (query.state.data ? Number.POSITIVE_INFINITY : 0),
  })
  return data
}
