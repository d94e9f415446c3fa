import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'wouter'
import { whenText } from '../access/standing.ts'
import { keyOf } from '../data/collections.ts'
import { useObject } from '../data/use-object.ts'
import { methodsText } from '../events/method-words.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import type { Door } from '../overview/door.ts'
import { capital } from '../parts/capital.ts'
import { momentAt, zoneWords } from '../parts/door-time.ts'
import { Failure, showFailure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { type Line, ReportTable, saveTable } from '../parts/report-table.tsx'
import { useApi } from '../session/use-api.ts'
import { usualAction } from './people-of.ts'
import { type Review as Found, granterKey, readReview } from './read-review.ts'

/** More would be a list that nobody reads on paper. */
const mostShown = 1000
/** A file of more is read page by page for minutes. */
const mostSaved = 20_000

const heads = [t('Member'), t('Group'), t('When'), t('How'), t('Since'), t('Granted by')] as const

/** Who has access to a door, since when and granted by whom: to read, to print and as CSV. */
export function DoorReview() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'gadgets', Door>('gadgets', id, ['site', 'device'])
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Review gadget={data} />
}

function Review({ gadget }: { gadget: Door }) {
  const { client, organization } = useApi()
  // Many pages, and as of a moment: not read again whenever something changes.
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: keyOf(organization.id, 'review', gadget.id, usualAction(gadget)),
    queryFn: ({ signal }) => readReview(client, gadget, mostShown, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [is_saving, setSaving] = useState(false)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  const { zone } = data
  const save = async () => {
    setSaving(true)
    try {
      const whole = data.has_more ? await readReview(client, gadget, mostSaved) : data
      const note = whole.has_more ? noteOf(whole) : undefined
      saveTable(`access-${gadget.id}`, heads, linesOf(whole), note)
    } catch (failure) {
      showFailure(failure, t('Could not save the file'))
    } finally {
      setSaving(false)
    }
  }
  return (
    <Page
      title={`Access review: ${gadget.name}`}
      trail={[
        [t('Doors'), '/gadgets'],
        [gadget.name ?? '', `/gadgets/${gadget.id}`],
      ]}
      subtitle={`As of ${momentAt(new Date(dataUpdatedAt).toISOString(), zone)} (${zoneWords(zone.timezone)}). By the rules, whether or not a member has a credential. Since: when the member was put into the group.`}
      actions={
        <>
          <Button variant="default" onClick={save} loading={is_saving}>
            Save as CSV
          </Button>
          <Button onClick={() => window.print()}>Print</Button>
        </>
      }
    >
      {data.has_more && (
        <Text size="sm" role="status">
          {t(
            `The first ${data.items.length} members. Save as CSV for all of them, up to ${mostSaved.toLocaleString(locale)}.`,
          )}
        </Text>
      )}
      {data.items.length === 0 && <Text>Nobody has access to this door.</Text>}
      {data.items.length > 0 && (
        <ReportTable label="Members with access" heads={heads} lines={linesOf(data)} />
      )}
    </Page>
  )
}

function noteOf({ items }: Found): string {
  return t(`The first ${items.length} members. Export members and groups for all of them.`)
}

/** One line for each group by which a member has access. */
function linesOf({ items, groups, granters, zone }: Found): Line[] {
  return items.flatMap(({ member_id, member, access_methods, rules }) => {
    const byGroup = Map.groupBy(rules ?? [], rule => rule.member_group_id)
    return [...byGroup].map(([id, own]) => {
      const group = groups.get(id)
      const [{ granted_at, granted_by } = {}] = own
      const cells = [
        member?.name ?? member_id,
        group?.name ?? id,
        capital([...new Set(own.map(rule => whenText(rule, group, zone)))].join('; ')),
        capital(methodsText(access_methods)),
        granted_at ? momentAt(granted_at, zone) : '–',
        granted_by ? (granters.get(granterKey(granted_by)) ?? '–') : '–',
      ]
      return { key: `${member_id} ${id}`, cells, href: `/members/${member_id}` }
    })
  })
}
