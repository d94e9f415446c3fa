import { Button, Text } from '@mantine/core'
import { IconDownload } from '../icons/icons.ts'
import { Section } from '../parts/page.tsx'
import { type Line, ReportTable, saveTable } from '../parts/report-table.tsx'

interface ReportSectionProps {
  readonly title: string
  /** What the table leaves out, or does not narrow, in words. The file says it too. */
  readonly about?: string | undefined
  readonly heads: readonly string[]
  readonly lines: readonly Line[]
  /** What is said when there are no lines. */
  readonly none: string
  /** Whose clock tells the last column, which the file says. */
  readonly timezone?: string | undefined
  /** The name of the file, without its ending. */
  readonly file: string
}

/** A table of a report, which can be saved. */
export function ReportSection({ title, about, heads, lines, none, timezone, file }: ReportSectionProps) {
  const named = timezone ? heads.with(-1, `${heads.at(-1)} (${timezone})`) : heads
  const save = () => saveTable(file, named, lines, about)
  return (
    <Section
      title={title}
      about={about}
      actions={
        lines.length > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconDownload size={14} />}
            aria-label={`Save as CSV: ${title}`}
            onClick={save}
          >
            CSV
          </Button>
        )
      }
    >
      {lines.length === 0 ? (
        <Text size="sm">{none}</Text>
      ) : (
        <ReportTable label={title} heads={heads} lines={lines} />
      )}
    </Section>
  )
}
