import { Badge, Table, Text } from '@mantine/core'
import { Named } from '../events/changes.tsx'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { useDatesZone } from '../members/use-dates-zone.ts'
import { inZone } from '../parts/door-time.ts'
import { Name } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import type { Job } from './job-words.ts'
import { type Changed, sayChange } from './say-change.ts'
import { useJobFile } from './use-job-file.ts'
import './imports.css'

const shownRows = 200

interface Line extends Changed {
  readonly line: number | null
  readonly outcome: string
  readonly name?: string | null
  readonly object_id?: string | null
}

const outcomes: Readonly<Record<string, { readonly word: string; readonly color: string }>> = {
  created: { word: t('New', 'row'), color: 'teal' },
  updated: { word: t('Changed', 'row'), color: 'blue' },
  deleted: { word: t('Deleted', 'row'), color: 'red' },
  restored: { word: t('Restored', 'row'), color: 'teal' },
}

/** What would change, row by row. */
export function Changes({ job }: { job: Job }) {
  const { data: text = '' } = useJobFile(job, 'diff.ndjson')
  const { zone } = useDatesZone()
  const lines = text.split('\n').filter(Boolean)
  if (lines.length === 0) return null
  const rows: Line[] = lines.slice(0, shownRows).map(line => JSON.parse(line))
  return (
    <Section title="Changes" about={inZone(t('Nothing of this is done yet.'), zone)} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, by keyboard too */}
      <section className="import-table" aria-label="Rows that change" tabIndex={0}>
        <Table stickyHeader fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th>What</Table.Th>
              <Table.Th className="on-desktop">Before and after</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(row => (
              <Table.Tr key={`${row.line} ${row.object_id} ${row.name}`}>
                <Table.Td>{row.line}</Table.Td>
                <Table.Td maw={220}>
                  <Name fallback="–">{row.name ?? String(row.after?.name ?? '')}</Name>
                </Table.Td>
                <Table.Td>
                  <Badge color={outcomes[row.outcome]?.color ?? 'gray'}>
                    {outcomes[row.outcome]?.word ?? row.outcome}
                  </Badge>
                </Table.Td>
                <Table.Td className="on-desktop soft">
                  <Named text={sayChange(row, zone)} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {lines.length > shownRows && (
          <Text size="sm" c="dimmed" p="sm">
            and {(lines.length - shownRows).toLocaleString(locale)} more
          </Text>
        )}
      </section>
    </Section>
  )
}
