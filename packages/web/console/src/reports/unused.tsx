import type { SiteZone, Unused } from '@gatehouse-access/api'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../data/collections.ts'
import { kindWords } from '../events/words.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { capital } from '../parts/capital.ts'
import { dayAt } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import type { Line } from '../parts/report-table.tsx'
import { useApi } from '../session/use-api.ts'
import { ReportSection } from './report-section.tsx'

const spans = { 30: t('30 days'), 90: t('90 days'), 365: t('a year') } as const
const day = 24 * 3_600_000

interface UnusedProps {
  readonly site_id: string | null
  readonly zone: SiteZone | undefined
  readonly now: number
}

/** Doors and credentials that nobody has used for a while. */
export function UnusedReport({ site_id, zone, now }: UnusedProps) {
  const { client, organization } = useApi()
  const [days, setDays] = useState('90')
  const since = new Date(now - Number(days) * day).toISOString()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'unused', since, site_id),
    queryFn: ({ signal }) => client.organization.unused({ since, ...(site_id && { site_id }), signal }),
  })
  return (
    <>
      <div className="report-controls">
        <Select
          label="Not used for"
          data={Object.entries(spans).map(([value, label]) => ({ value, label }))}
          value={days}
          onChange={value => value && setDays(value)}
          allowDeselect={false}
        />
      </div>
      {!data && (error ? <Failure error={error} retry={refetch} /> : <LoadingPage />)}
      {data && <Found found={data} zone={zone} is_of_site={site_id !== null} />}
    </>
  )
}

interface FoundProps {
  readonly found: Unused
  readonly zone: SiteZone | undefined
  readonly is_of_site: boolean
}

function Found({ found, zone, is_of_site }: FoundProps) {
  const { gadgets, gadget_count, credentials, credential_count, is_cut } = found
  return (
    <>
      <ReportSection
        title="Doors never used"
        about={shownWords(gadgets.length, gadget_count, false)}
        heads={[t('Door'), t('Last used')]}
        lines={gadgets.map(({ gadget_id, name, last_used_at }) => ({
          key: gadget_id,
          cells: [name, lastWords(last_used_at, zone)],
          href: `/gadgets/${gadget_id}`,
        }))}
        none="Every door was used."
        file="doors-never-used"
      />
      <ReportSection
        title="Credentials never used"
        // No credential belongs to a site: each opens whatever its member may open.
        about={joined(
          is_of_site ? t('Those of the whole organization, whatever the site.') : undefined,
          shownWords(credentials.length, credential_count, is_cut),
        )}
        heads={[t('Person'), t('What'), t('Given'), t('Last used')]}
        lines={credentials.map(line => credentialLine(line, zone))}
        none="Every credential was used."
        file="credentials-never-used"
      />
    </>
  )
}

function credentialLine(
  { kind, id, member_id, name, created_at, last_used_at }: Unused['credentials'][number],
  zone: SiteZone | undefined,
): Line {
  return {
    key: id,
    cells: [
      name || t('Unnamed'),
      capital(kindWords[kind] ?? kind),
      dayAt(created_at, zone),
      lastWords(last_used_at, zone),
    ],
    href: `/members/${member_id}`,
  }
}

function lastWords(at: string | null | undefined, zone: SiteZone | undefined): string {
  return at ? dayAt(at, zone) : t('Never')
}

function joined(...sentences: readonly (string | undefined)[]): string | undefined {
  return sentences.filter(Boolean).join(' ') || undefined
}

function shownWords(shown: number, all: number, is_cut: boolean): string | undefined {
  if (shown === all) return undefined
  return t(
    `The ${shown} unused for longest, of ${is_cut ? t('more than ') : ''}${all.toLocaleString(locale)}.`,
  )
}
