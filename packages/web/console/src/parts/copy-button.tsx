import { Button, CopyButton as Copier } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Puts a value where it can be pasted from, and says so. */
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
