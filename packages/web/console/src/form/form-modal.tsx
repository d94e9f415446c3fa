import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Draft } from './draft.ts'
import { useFocusBack } from './use-focus-back.ts'

interface FormModalProps {
  readonly title: string
  readonly opened: boolean
  readonly onClose: () => void
  // biome-ignore lint/suspicious/noExplicitAny: drafts are invariant in their values, and none is read here
  readonly draft: Draft<any>
  /** The label of the button: a verb. */
  readonly action: string
  readonly size?: string
  /** True while there is nothing to send. */
  readonly is_empty?: boolean
  readonly children: ReactNode
}

/** A form in a modal, for creating an object or making a small change. */
export function FormModal(props: FormModalProps) {
  const { title, opened, onClose, draft, action, size, is_empty, children } = props
  useFocusBack()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size ?? 'md'}
      // A click outside the form, or Escape, must not discard the input.
      closeOnClickOutside={!draft.is_dirty}
      closeOnEscape={!draft.is_dirty}
    >
      <form onSubmit={draft.submit}>
        <Stack gap="sm">
          {children}
          <Group justify="flex-end" gap="xs" className="form-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={draft.is_saving} disabled={is_empty ?? false}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
