import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Copied } from './copied.tsx'

interface OnceProps {
  readonly title: string
  readonly what: string
  readonly value: string
  readonly children?: ReactNode
  readonly onClose: () => void
}

/** Shows a secret of which the service keeps no readable copy. A click outside must not close it. */
export function ShownOnce({ title, what, value, children, onClose }: OnceProps) {
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false} size="lg">
      <Stack gap="sm">
        <Text size="sm">This is shown only once. Copy it to where your application keeps its secrets.</Text>
        <div className="shown-once">
          <Copied value={value} what={what} />
        </div>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
