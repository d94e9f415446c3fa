import { Button, CopyButton as Copier } from '@mantine/core'
import { IconCheck, IconCopy } from '../icons/icons.ts'

/** Copies a value to the clipboard, and confirms it. */
export function CopyButton({ value }: { value: string }) {
  return (
    <Copier value={value}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={copy}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </Copier>
  )
}
