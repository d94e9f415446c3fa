import { type PrivacyRecord as Held, periodNames, type RecordEntry } from '@gatehouse-access/api'
import { Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { modelName } from '../devices/device.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import { daysInWords, periodWords } from './privacy-words.ts'
import { classWords, dataWords, purposeWords } from './record-words.ts'
import './privacy.css'

const recipientWords: Readonly<Record<Held['recipients'][number]['kind'], string>> = {
  device: t('Devices'),
  webhook: t('Webhook'),
  application: t('Application'),
  mail: t('Mail server'),
  notification_target: t('Messages about alarms'),
}

/** The record of processing activities, ready to print. */
export function PrivacyRecord() {
  const { client, organization } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'organizations', 'record'),
    queryFn: () => client.organization.privacy_record(),
  })
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return (
    <Page
      title="Record of processing"
      trail={[[t('Privacy'), '/privacy']]}
      subtitle={
        <>
          {data.organization}, <OwnTime at={data.made_at} />
        </>
      }
      actions={<Button onClick={() => window.print()}>Print</Button>}
    >
      <div className="stack">
        <Section title="Periods in force">
          <Facts facts={periodNames.map(name => [periodWords[name][0], daysInWords(data.periods[name])])} />
        </Section>
        <Section title="Recipients" about="Devices get IDs and keyed hashes, never names">
          {data.recipients.length === 0 ? (
            <Text size="sm">Nobody.</Text>
          ) : (
            <Facts
              facts={[...Map.groupBy(data.recipients, ({ kind }) => kind)].map(([kind, found]) => [
                recipientWords[kind],
                found.map(nameOf).join(', '),
              ])}
            />
          )}
        </Section>
        {data.purposes.map(({ purpose }) => (
          <Purpose
            key={purpose}
            about={purposeWords[purpose]}
            data={data.data.filter(entry => entry.purpose === purpose)}
          />
        ))}
      </div>
    </Page>
  )
}

function nameOf({ kind, name, count }: Held['recipients'][number]): string {
  const shown = kind === 'device' ? modelName(name) : name
  return count === 1 ? shown : `${shown} (${count})`
}

function Purpose({ about, data }: { about: string; data: readonly RecordEntry[] }) {
  if (data.length === 0) return null
  return (
    <Section title={about}>
      <Table className="record-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Data</Table.Th>
            <Table.Th>Categories</Table.Th>
            <Table.Th>Kept</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map(entry => (
            <Table.Tr key={entry.data}>
              <Table.Td>{dataWords[entry.data] ?? entry.data.replaceAll('_', ' ')}</Table.Td>
              <Table.Td>{entry.fields.map(({ class: name }) => classWords[name]).join(', ')}</Table.Td>
              <Table.Td>{keptInWords(entry)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

function keptInWords({ kept, kept_seconds }: RecordEntry): string {
  switch (kept) {
    case 'after':
      return kept_seconds ? lengthWords(kept_seconds) : t('until they expire')
    case 'events':
      return t('by the periods')
    case 'after_deletion':
      return t('until the member is erased')
    default:
      return t('while they exist')
  }
}

function lengthWords(seconds: number): string {
  const hours = Math.round(seconds / 3600)
  if (hours > 48) return daysInWords(Math.round(hours / 24))
  return hours <= 1 ? t('1 hour') : t(`${hours} hours`)
}
