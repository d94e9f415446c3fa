import { csvLine } from '@gatehouse-access/core'
import { Badge, Button, FileButton, Group, Progress, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRef, useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { IconArrowBackUp, IconUpload } from '../icons/icons.ts'
import { showFailure } from '../parts/failure.tsx'
import { Name } from '../parts/name.tsx'
import { Page, Section } from '../parts/page.tsx'
import { saveFile } from '../parts/save-file.ts'
import { browserZone } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { type ImportFile, type ImportRow, knownColumns, readImport } from './import-rows.ts'
import { type Outcome, runImport, undoImport } from './run-import.ts'
import './members.css'

const shownRows = 200

const example = [
  [...knownColumns],
  ['Ana García', '2026-12-01 15:00', '2026-12-05 11:00', 'ana@example.com', 'Guests; Pool', 'yes', 'R-1001'],
]
  .map(csvLine)
  .join('')

/** Imports members from a spreadsheet. Shows a preview first, and offers an undo afterwards. */
export function ImportMembers() {
  const { client } = useApi()
  const refresh = useRefresh()
  const [file, setFile] = useState<ImportFile>()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [phase, setPhase] = useState<'choose' | 'preview' | 'importing' | 'done' | 'undoing'>('choose')
  const stop = useRef(new AbortController())
  const good = file?.rows.filter(({ problems }) => problems.length === 0) ?? []
  const open = async (chosen: File | null) => {
    if (!chosen) return
    try {
      const groups = new Map<string, string>()
      for await (const { id, name } of client.member_groups.all()) groups.set(name.toLowerCase(), id)
      setFile(readImport(await chosen.text(), groups, browserZone))
      setOutcomes([])
      setPhase('preview')
    } catch (error) {
      showFailure(error, 'Could not read the file')
    }
  }
  const run = async () => {
    setPhase('importing')
    stop.current = new AbortController()
    await runImport(client, good, setOutcomes, stop.current.signal)
    refresh('members')
    setPhase('done')
  }
  const undo = async () => {
    setPhase('undoing')
    const failed = (await undoImport(client, outcomes, () => undefined, new AbortController().signal)).filter(
      ({ error }) => error,
    )
    refresh('members')
    notifications.show(
      failed.length === 0
        ? { message: 'Import undone', color: 'teal' }
        : { message: `Could not delete ${failed.length} members`, color: 'red' },
    )
    setOutcomes([])
    setPhase('preview')
  }
  return (
    <Page title="Import members" trail={[['Members', '/members']]}>
      {phase === 'choose' && <Choose onFile={open} />}
      {file && phase !== 'choose' && (
        <Stack gap="md">
          <Section
            title={titleOf(phase, file, good.length, outcomes)}
            about={`Columns: ${file.columns.join(', ')}`}
            actions={
              <>
                {(phase === 'preview' || phase === 'done') && (
                  <ChooseButton onFile={open} label="Choose another file" />
                )}
                {phase === 'preview' && (
                  <Button disabled={good.length === 0} onClick={run}>
                    Import {good.length} {good.length === 1 ? 'member' : 'members'}
                  </Button>
                )}
                {phase === 'importing' && (
                  <Button variant="default" onClick={() => stop.current.abort()}>
                    Stop
                  </Button>
                )}
                {(phase === 'done' || phase === 'undoing') && (
                  <Button
                    variant="default"
                    loading={phase === 'undoing'}
                    leftSection={<IconArrowBackUp size={14} />}
                    onClick={undo}
                  >
                    Undo import
                  </Button>
                )}
              </>
            }
            flush
          >
            {phase === 'importing' && (
              <Progress
                value={(outcomes.length / Math.max(1, good.length)) * 100}
                aria-label="Import progress"
              />
            )}
            {file.problem ? (
              <Text c="red" size="sm" p="md" role="alert">
                {file.problem}
              </Text>
            ) : (
              <Preview file={file} outcomes={outcomes} />
            )}
          </Section>
        </Stack>
      )}
    </Page>
  )
}

function titleOf(phase: string, file: ImportFile, good: number, outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ error }) => error).length
  if (file.problem) return 'This file cannot be imported'
  if (phase === 'importing') return `${outcomes.length} of ${good} imported`
  if (phase === 'done') return `${outcomes.length - failed} imported${failed > 0 ? `, ${failed} failed` : ''}`
  const bad = file.rows.length - good
  return `${file.rows.length} rows${bad > 0 ? `, ${bad} with errors, which will be skipped` : ''}`
}

function Choose({ onFile }: { onFile: (file: File | null) => void }) {
  return (
    <div className="import-drop">
      <Text size="sm" maw={520}>
        Choose a CSV file whose first line names the columns. Only “name” is required. “groups” lists group
        names separated by semicolons. Times are in {browserZone.replaceAll('_', ' ')}. Unknown columns are
        stored as metadata.
      </Text>
      <Group gap="xs">
        <ChooseButton onFile={onFile} label="Choose file" />
        <Button variant="default" onClick={() => saveFile('members-example.csv', 'text/csv', example)}>
          Download example
        </Button>
      </Group>
    </div>
  )
}

function ChooseButton({ onFile, label }: { onFile: (file: File | null) => void; label: string }) {
  return (
    <FileButton onChange={onFile} accept=".csv,text/csv,text/plain" inputProps={{ 'aria-label': 'CSV file' }}>
      {props => (
        <Button
          {...props}
          variant={label === 'Choose another file' ? 'default' : 'filled'}
          leftSection={<IconUpload size={14} />}
        >
          {label}
        </Button>
      )}
    </FileButton>
  )
}

function Preview({ file, outcomes }: { file: ImportFile; outcomes: readonly Outcome[] }) {
  const byLine = new Map(outcomes.map(outcome => [outcome.line, outcome]))
  const failing = (row: ImportRow) => row.problems.length > 0 || byLine.get(row.line)?.error
  // Rows with errors come first, because they need attention.
  const rows = [...file.rows.filter(failing), ...file.rows.filter(row => !failing(row))]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, by keyboard too
    <section className="import-table" aria-label="File rows" tabIndex={0}>
      <Table stickyHeader fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Line</Table.Th>
            <Table.Th>Name</Table.Th>
            <Table.Th className="on-desktop">Groups</Table.Th>
            <Table.Th className="on-desktop">From</Table.Th>
            <Table.Th className="on-desktop">Until</Table.Th>
            <Table.Th>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, shownRows).map(row => (
            <Table.Tr key={row.line}>
              <Table.Td>{row.line}</Table.Td>
              <Table.Td maw={220}>
                <Name>{row.cells.name}</Name>
              </Table.Td>
              <Table.Td maw={180} className="on-desktop">
                <Name fallback="–">{row.cells.groups}</Name>
              </Table.Td>
              <Table.Td className="on-desktop nowrap">{row.cells.starts_at}</Table.Td>
              <Table.Td className="on-desktop nowrap">{row.cells.ends_at}</Table.Td>
              <Table.Td>
                <Result row={row} outcome={byLine.get(row.line)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > shownRows && (
        <Text size="sm" c="dimmed" p="sm">
          and {rows.length - shownRows} more
        </Text>
      )}
    </section>
  )
}

function Result({ row, outcome }: { row: ImportRow; outcome: Outcome | undefined }) {
  const problem = row.problems.join('; ') || outcome?.error
  if (problem)
    return (
      <Text size="sm" c="red" span>
        {problem}
      </Text>
    )
  if (!outcome) return <Badge color="gray">Ready</Badge>
  return <Badge color="teal">{outcome.is_update ? 'Updated' : 'Added'}</Badge>
}
