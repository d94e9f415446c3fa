import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '../icons/icons.ts'

/** Shows a value in full, with a button that copies it. */
export function Copied({ value, what }: { value: string; what: string }) {
  return (
    <span className="copied">
      <code className="mono">{value}</code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Copy ${what}`} onClick={copy}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </span>
  )
}
