import type { SiteZone } from '@gatehouse-access/api'
import { Button, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useParams } from 'wouter'
import { whenText } from '../access/standing.ts'
import { useObject } from '../data/use-object.ts'
import { methodsText } from '../events/method-words.ts'
import { useRuleGroups } from '../groups/use-rule-groups.ts'
import { t } from '../language/t.ts'
import type { Door } from '../overview/door.ts'
import { capital } from '../parts/capital.ts'
import { momentAt, zoneWords } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { type Line, ReportTable, saveTable } from '../parts/report-table.tsx'
import { browserZone } from '../parts/time.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { type PersonAccess, useDoorPeople } from './people.tsx'
import { useGranters } from './use-granters.ts'

/** More would be a list that nobody reviews on paper. */
const most = 1000

const heads = [t('Member'), t('Group'), t('When'), t('How'), t('Since'), t('Granted by')] as const

/** Who has access to a door, since when and granted by whom: to read, to print and as CSV. */
export function DoorReview() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'gadgets', Door>('gadgets', id, ['site', 'device'])
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Review gadget={data} />
}

function Review({ gadget }: { gadget: Door }) {
  const list = useDoorPeople(gadget)
  const { items, has_more, loadMore } = list
  useEffect(() => {
    if (has_more && items.length < most) loadMore()
  }, [has_more, items.length, loadMore])
  const { data: zone } = useZone(gadget.site_id)
  const linesOf = useLines(items, zone)
  const is_whole = !has_more || items.length >= most
  if (list.error) return <Failure error={list.error} retry={list.refetch} is_page />
  const lines = items.flatMap(linesOf)
  const save = () => saveTable(`access-${gadget.id}`, heads, lines)
  return (
    <Page
      title={`Access review: ${gadget.name}`}
      trail={[
        [t('Doors'), '/gadgets'],
        [gadget.name ?? '', `/gadgets/${gadget.id}`],
      ]}
      subtitle={`As of ${momentAt(new Date().toISOString(), zone)} (${zoneWords(zone?.timezone ?? browserZone)}). Since: when the member was put into the group.`}
      actions={
        <>
          <Button variant="default" onClick={save} loading={!is_whole}>
            Save as CSV
          </Button>
          <Button onClick={() => window.print()} loading={!is_whole}>
            Print
          </Button>
        </>
      }
    >
      {has_more && items.length >= most && (
        <Text size="sm" role="status">
          The first {items.length} members. Export members and groups for all of them.
        </Text>
      )}
      {!list.is_loading && items.length === 0 && <Text>Nobody has access to this door.</Text>}
      {items.length > 0 && <ReportTable label="Access" heads={heads} lines={lines} />}
    </Page>
  )
}

/** One line for each group by which a member has access. */
function useLines(
  items: readonly PersonAccess[],
  zone: SiteZone | undefined,
): (item: PersonAccess) => Line[] {
  const groupOf = useRuleGroups(items.flatMap(({ rules }) => rules ?? []).map(rule => rule.member_group_id))
  const granterOf = useGranters()
  return ({ member_id, member, access_methods, rules }) => {
    const byGroup = Map.groupBy(rules ?? [], rule => rule.member_group_id)
    return [...byGroup].map(([id, own]) => {
      const group = groupOf(id)
      const [{ granted_at, granted_by } = {}] = own
      const cells = [
        member?.name ?? member_id,
        group?.name ?? '…',
        [...new Set(own.map(rule => whenText(rule, group, zone)))].join('; '),
        capital(methodsText(access_methods)),
        granted_at ? momentAt(granted_at, zone) : '–',
        granterOf(granted_by),
      ]
      return { key: `${member_id} ${id}`, cells, href: `/members/${member_id}` }
    })
  }
}
