import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '../icons/icons.ts'

interface ChooseFileProps {
  readonly onFile: (file: File | null) => void
  readonly label: string
  readonly variant?: 'default' | 'filled'
}

export function ChooseFile({ onFile, label, variant = 'filled' }: ChooseFileProps) {
  return (
    <FileButton
      onChange={onFile}
      accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,text/plain"
      inputProps={{ 'aria-label': 'File to import' }}
    >
      {props => (
        <Button {...props} variant={variant} leftSection={<IconUpload size={14} />}>
          {label}
        </Button>
      )}
    </FileButton>
  )
}
