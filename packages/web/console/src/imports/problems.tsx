import { parseCsv } from '@gatehouse-access/core'
import { Table, Text } from '@mantine/core'
import { locale } from '../language/languages.ts'
import { Section } from '../parts/page.tsx'
import type { Job } from './job-words.ts'
import { problemWords } from './problem-words.ts'
import { useJobFile } from './use-job-file.ts'
import './imports.css'

const shownRows = 200

/** Rows that are refused, each with its line and what would be right. */
export function Problems({ job }: { job: Job }) {
  const { data: text = '' } = useJobFile(job, 'errors.csv')
  const [head, ...rows] = text === '' ? [] : parseCsv(text)
  const place = (name: string) => head?.cells.lastIndexOf(name) ?? -1
  const [line, column, problem] = [place('line'), place('column'), place('problem')]
  return (
    <Section
      title="Problems"
      about="These rows are left out. Download them, correct them there, and import that file."
      flush
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, by keyboard too */}
      <section className="import-table" aria-label="Rows with problems" tabIndex={0}>
        <Table stickyHeader fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              <Table.Th>Column</Table.Th>
              <Table.Th>Problem</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, shownRows).map(({ line: key, cells }) => (
              <Table.Tr key={key}>
                <Table.Td>{cells[line]}</Table.Td>
                <Table.Td>{column >= 0 && cells[column]}</Table.Td>
                <Table.Td>
                  {cells[problem]
                    ?.split(/; (?=[A-Z"])/)
                    .map(text => problemWords(text))
                    .join('; ')}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {rows.length > shownRows && (
          <Text size="sm" c="dimmed" p="sm">
            and {(job.progress.failed - shownRows).toLocaleString(locale)} more
          </Text>
        )}
      </section>
    </Section>
  )
}
