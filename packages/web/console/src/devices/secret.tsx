import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { IconKey } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import type { Device } from './device.ts'

/**
 * Issues, rotates or revokes the secret that a device connects with. The old secret stops working
 * immediately, so the user confirms first.
 */
export function ConnectionSecret({ device }: { device: Device }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [is_open, dialog] = useDisclosure(false)
  const [secret, setSecret] = useState<string>()
  const close = () => {
    dialog.close()
    setSecret(undefined)
  }
  const issue = async () => {
    try {
      setSecret((await client.devices.issue_credentials(device.id)).secret)
    } catch (error) {
      showFailure(error, t('Could not issue a secret'))
    }
  }
  const revoke = async () => {
    try {
      await client.devices.revoke_credentials(device.id)
      refresh('devices')
      notifications.show({ message: 'Secret revoked. The device can no longer connect.' })
      close()
    } catch (error) {
      showFailure(error, t('Could not revoke the secret'))
    }
  }
  return (
    <>
      <Button variant="default" leftSection={<IconKey size={14} />} onClick={dialog.open}>
        Connection secret
      </Button>
      <Modal opened={is_open} onClose={close} title="Connection secret" size="md">
        {secret ? <Issued secret={secret} onClose={close} /> : <Choice issue={issue} revoke={revoke} />}
      </Modal>
    </>
  )
}

function Choice({ issue, revoke }: { issue: () => Promise<void>; revoke: () => Promise<void> }) {
  // The answer says whose PINs the device knew, so installers cannot ask.
  const { sees_people } = useApi()
  return (
    <Stack gap="sm">
      <Text size="sm">
        The device identifies itself with this secret. A new secret replaces the old one: the device cannot
        connect until you enter the new secret on it.
        {sees_people && ' Revoking keeps the device out until you issue another.'}
      </Text>
      <Text size="sm" c="dimmed">
        Meanwhile, doors keep working with what they last received. Changes reach them when the device
        reconnects.
      </Text>
      <Group justify="flex-end" gap="xs">
        {sees_people && (
          <Button color="red" variant="subtle" onClick={() => void revoke()}>
            Revoke
          </Button>
        )}
        <Button onClick={() => void issue()} data-autofocus>
          Issue new secret
        </Button>
      </Group>
    </Stack>
  )
}

function Issued({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Stack gap="sm">
      <output className="devices-secret" aria-label="New secret">
        {secret}
      </output>
      <Text size="sm" c="dimmed">
        This secret is shown only once. Enter it on the device now.
      </Text>
      <Group justify="flex-end" gap="xs">
        <CopyButton value={secret} />
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}
