import { Button, Group, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import type { Target } from './target.ts'

/** Sends a code to an email target, and proves the address with it. */
export function ProveAddress({ target, onClose }: { target: Target; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [sent, setSent] = useState(0)
  const draft = useDraft(
    { code: '' },
    async ({ code }) => {
      await client.notification_targets.verify(target.id, { code: code.trim() })
      refresh('notification_targets')
      onClose()
    },
    t('Could not prove the address'),
  )
  const send = useRef(() =>
    client.notification_targets.send_code(target.id).then(
      () => setSent(count => count + 1),
      error => showFailure(error, t('Could not send the code')),
    ),
  )
  const has_begun = useRef(false)
  useEffect(() => {
    if (has_begun.current) return
    has_begun.current = true
    void send.current()
  }, [])
  return (
    <FormModal
      title="Prove the address"
      opened
      onClose={onClose}
      draft={draft}
      action="Prove"
      is_empty={draft.values.code.trim() === ''}
    >
      <p className="dialog-text" role="status">
        {sent === 0 ? 'Sending a code to ' : 'A code is on its way to '}
        <bdi>{target.address}</bdi>. It is valid for 10 minutes.
      </p>
      <TextInput
        label="Code"
        required
        data-autofocus
        autoComplete="one-time-code"
        value={draft.values.code}
        error={draft.errorOf('code')}
        onChange={event => draft.set('code', event.currentTarget.value)}
      />
      <Group>
        <Button variant="subtle" size="compact-sm" onClick={() => void send.current()}>
          Send another code
        </Button>
      </Group>
    </FormModal>
  )
}
