import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { IconEye } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { showFailure } from '../parts/failure.tsx'
import { Qr } from './qr.tsx'

type SecretKind = 'pin' | 'link' | 'token'

export interface Secret {
  readonly kind: SecretKind
  readonly value: string
}

interface SecretModalProps {
  readonly title: string
  /** Passed when the secret was just created. Otherwise `reveal` loads it. */
  readonly secret?: Secret | undefined
  readonly reveal?: () => Promise<Secret>
  readonly onClose: () => void
}

/** Shows a secret, after a note that revealing it is recorded. */
export function SecretModal({ title, secret, reveal, onClose }: SecretModalProps) {
  const [shown, setShown] = useState(secret)
  const [is_asking, setAsking] = useState(false)
  const ask = async () => {
    setAsking(true)
    try {
      setShown(await reveal?.())
    } catch (error) {
      showFailure(error, t('Could not reveal the secret'))
    }
    setAsking(false)
  }
  return (
    <Modal opened onClose={onClose} title={title} size="sm">
      {shown ? (
        <Shown secret={shown} />
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            Revealing is recorded. Your name, the time and your IP address appear in the events, where every
            administrator can see them.
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button leftSection={<IconEye size={14} />} loading={is_asking} onClick={ask} data-autofocus>
              Reveal and record
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

function Shown({ secret: { kind, value } }: { secret: Secret }) {
  return (
    <Stack gap="sm">
      {kind === 'link' && <Qr text={value} />}
      <div className={kind === 'pin' ? 'secret secret-pin' : 'secret'}>{value}</div>
      {kind === 'token' && (
        <Text size="sm" c="dimmed">
          This is shown only once. Keep it safe.
        </Text>
      )}
      <CopyButton value={value} />
    </Stack>
  )
}
