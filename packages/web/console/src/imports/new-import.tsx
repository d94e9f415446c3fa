import { csvLine } from '@gatehouse-access/core'
import type { ImportWish } from '@gatehouse-access/sdk'
import { Button, Group, Text } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { saveFile } from '../parts/save-file.ts'
import { useApi } from '../session/use-api.ts'
import { ChooseFile } from './choose-file.tsx'
import { Columns } from './columns.tsx'
import { type ImportedKind, importedKinds } from './kinds.ts'
import { type Look, lookAtFile } from './look-at-file.ts'

/** A file is chosen or dropped, and its columns are matched. Then the service tries it. */
export function NewImport({ kind, onJob }: { kind: ImportedKind; onJob: (id: string) => void }) {
  const { client } = useApi()
  const [look, setLook] = useState<Look>()
  const open = (file: File | null) => {
    if (file) lookAtFile(file, kind).then(setLook, error => showFailure(error, t('Could not read the file')))
  }
  const check = async (wish: Pick<ImportWish, 'mapping' | 'timezone'>) => {
    if (!look) return
    try {
      const job = await client.imports.create(look.file, {
        ...wish,
        kind,
        format: look.format,
        dry_run: true,
      })
      onJob(job.id)
    } catch (error) {
      showFailure(error, t('Could not check the file'))
    }
  }
  return look ? (
    <Columns key={look.file.name} kind={kind} look={look} onCheck={check} onFile={open} />
  ) : (
    <Drop kind={kind} onFile={open} />
  )
}

function Drop({ kind, onFile }: { kind: ImportedKind; onFile: (file: File | null) => void }) {
  const [is_over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0] ?? null)
  }
  const { example, many } = importedKinds[kind]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button inside
    <div
      className="import-drop"
      data-over={is_over}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Text size="sm" maw={520}>
        Drop a CSV file here whose first line names the columns, in English, German, Spanish, French, Italian
        or Portuguese. Nothing is changed before you have seen what would be.
      </Text>
      <Group gap="xs">
        <ChooseFile onFile={onFile} label="Choose file" />
        <Button
          variant="default"
          onClick={() => saveFile(`${many}-example.csv`, 'text/csv', example.map(csvLine).join(''))}
        >
          Download example
        </Button>
      </Group>
    </div>
  )
}
