import { csvLine } from '@gatehouse-access/core'
import { Table } from '@mantine/core'
import { Name, NameLink } from './name.tsx'
import { saveFile } from './save-file.ts'
import './report-table.css'

export interface Line {
  readonly key: string
  readonly cells: readonly string[]
  /** Where the first cell leads. */
  readonly href?: string | undefined
}

interface ReportTableProps {
  readonly label: string
  readonly heads: readonly string[]
  readonly lines: readonly Line[]
}

/** A table to read on any screen and to print. On a phone, each line is a card. */
export function ReportTable({ label, heads, lines }: ReportTableProps) {
  return (
    <div className="report-table">
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {heads.map(head => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ key, cells, href }) => (
            <Table.Tr key={key}>
              {cells.map((cell, place) => (
                <Table.Td key={heads[place]} data-label={heads[place]}>
                  {place === 0 && href ? <NameLink href={href}>{cell}</NameLink> : <Name>{cell}</Name>}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

/** Downloads what a table shows. The last line is a note, if there is one. */
export function saveTable(
  name: string,
  heads: readonly string[],
  lines: readonly Line[],
  note?: string,
): void {
  const rows = [heads, ...lines.map(({ cells }) => cells), ...(note ? [[note]] : [])]
  saveFile(`${name}.csv`, 'text/csv', rows.map(row => csvLine(row)).join(''))
}
