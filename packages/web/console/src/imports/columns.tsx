import { importColumns, type TargetColumn } from '@gatehouse-access/api'
import type { ImportWish } from '@gatehouse-access/sdk'
import { Button, Select, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../data/use-list.ts'
import { spoken, t } from '../language/t.ts'
import { Section } from '../parts/page.tsx'
import { ChooseFile } from './choose-file.tsx'
import { type ImportedKind, importedKinds } from './kinds.ts'
import type { Look } from './look-at-file.ts'

const leftOut = t('(leave out)')

const meaningWords: Readonly<Record<string, string>> = spoken({
  id: 'ID',
  external_id: 'External ID',
  first_name: 'First name',
  name: 'Name',
  email: 'Email',
  groups: 'Groups',
  starts_at: 'When access starts',
  ends_at: 'When access ends',
  language: 'Language',
  pin: 'PIN',
  card_uid: 'UID of a card',
  card_printed_code: 'Printed code of a card',
  magic_link: 'Link',
  tags: 'Tags',
  metadata: 'Metadata',
  is_deleted: 'Deleted',
  uid: 'UID',
  printed_code: 'Printed code',
})

interface ColumnsProps {
  readonly kind: ImportedKind
  readonly look: Look
  readonly onCheck: (wish: Pick<ImportWish, 'mapping' | 'timezone'>) => Promise<void>
  readonly onFile: (file: File | null) => void
}

/** What each column of the file means, with samples. A column that nobody understands has to be decided on. */
export function Columns({ kind, look, onCheck, onFile }: ColumnsProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string | null>>(new Map())
  const [is_busy, setBusy] = useState(false)
  const zones = useZones()
  const [zone, setZone] = useState<string | null>(null)
  const meanings = look.columns.map((name, index) => meaningOf(look, chosen, name, index))
  const open = look.columns.filter((name, index) => meanings[index] === null && name.trim() !== '')
  const check = async () => {
    setBusy(true)
    const mapping = Object.fromEntries(
      [...chosen].map(([name, target]) => [
        name,
        target === leftOut ? null : (target as TargetColumn | null),
      ]),
    )
    await onCheck({ mapping, ...(zones.length > 1 && { timezone: zone ?? zones[0] ?? '' }) })
    setBusy(false)
  }
  if (look.columns.length === 0)
    return (
      <Section
        title="This file cannot be imported"
        actions={<ChooseFile onFile={onFile} label="Choose another file" />}
      >
        <Text size="sm" role="alert">
          It has no head line: its first line must name the columns.
        </Text>
      </Section>
    )
  return (
    <Section
      title={look.file.name}
      about={
        open.length > 0
          ? `Say what ${open.length === 1 ? 'this column means' : 'these columns mean'}: ${open.join(', ')}`
          : 'Check what the columns mean.'
      }
      actions={
        <>
          <ChooseFile onFile={onFile} label="Choose another file" variant="default" />
          <Button onClick={() => void check()} loading={is_busy} disabled={open.length > 0}>
            Check {importedKinds[kind].many}
          </Button>
        </>
      }
      flush
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, by keyboard too */}
      <section className="import-table" aria-label="Columns" tabIndex={0}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Column</Table.Th>
              <Table.Th>Meaning</Table.Th>
              <Table.Th className="on-desktop">Samples</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {look.columns.map((name, index) => (
              <Table.Tr key={index}>
                <Table.Td>{name || '(no name)'}</Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    aria-label={`Meaning of ${name}`}
                    data={choicesOf(kind, name)}
                    value={meanings[index] ?? (name.trim() === '' ? leftOut : null)}
                    onChange={value => setChosen(new Map([...chosen, [name, value]]))}
                    error={open.includes(name)}
                    placeholder="Choose"
                    searchable
                  />
                </Table.Td>
                <Table.Td className="on-desktop soft clip">{look.samples[index]?.join(' · ')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {zones.length > 1 && (
        <Select
          m="md"
          maw={320}
          label="Time zone of the times in the file"
          data={zones.map(name => ({ value: name, label: name.replaceAll('_', ' ') }))}
          value={zone ?? zones[0] ?? null}
          onChange={setZone}
        />
      )}
    </Section>
  )
}

/** What somebody has chosen, else what the name says. Null if nobody knows. */
function meaningOf(
  { head, columns }: Look,
  chosen: ReadonlyMap<string, string | null>,
  name: string,
  index: number,
): string | null {
  const own = chosen.get(name)
  if (own !== undefined) return own
  const target = head?.targets[index] ?? null
  return target ?? (head?.unknown.includes(columns[index] ?? '') ? null : leftOut)
}

function choicesOf(kind: ImportedKind, name: string): { value: string; label: string }[] {
  const key = name.replace(/^metadata\./, '')
  return [
    ...importColumns(kind).map(column => ({ value: column, label: meaningWords[column] ?? column })),
    { value: `metadata.${key}`, label: t(`Metadata “${key}”`) },
    { value: leftOut, label: leftOut },
  ]
}

function useZones(): string[] {
  const { items } = useList('sites', {}, { page: 100 })
  return [...new Set(items.map(({ timezone }) => timezone))]
}
