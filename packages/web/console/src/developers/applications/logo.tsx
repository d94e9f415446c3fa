import { Button, FileButton, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useAccountRefresh } from '../../data/use-account.ts'
import { IconPhotoUp } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { ApplicationLogo } from '../../parts/application-logo.tsx'
import { showFailure } from '../../parts/failure.tsx'
import { useApi } from '../../session/use-api.ts'
import type { Application } from './account-objects.ts'
import { NoPicture, picture_types, shrinkPicture } from './shrink-picture.ts'

/** Saves each change immediately, because choosing or removing a picture needs no further input. */
export function Logo({ application }: { application: Application }) {
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const [version, setVersion] = useState(0)
  const [is_busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const store = async (makeLogo: () => Promise<string | null>) => {
    setBusy(true)
    setFault(undefined)
    try {
      await account('PATCH', `/applications/${application.id}`, { logo: await makeLogo() })
      await refresh('/applications', '/organizations')
      setVersion(held => held + 1)
    } catch (error) {
      if (error instanceof NoPicture) setFault(error.message)
      else showFailure(error, t('Could not change the logo'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div>
      <Text size="sm" fw={500} component="div">
        Logo
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        Shown to users when they authorize the application. PNG, JPEG or WebP; large images are scaled down.
      </Text>
      <Group gap="sm">
        <ApplicationLogo {...application} size={48} version={version} />
        <FileButton
          accept={picture_types}
          onChange={file => file && void store(() => shrinkPicture(file))}
          inputProps={{ 'aria-label': 'Logo file' }}
        >
          {props => (
            <Button {...props} variant="default" leftSection={<IconPhotoUp size={14} />} loading={is_busy}>
              {application.has_logo ? 'Replace' : 'Upload'}
            </Button>
          )}
        </FileButton>
        {application.has_logo && (
          <Button variant="subtle" color="red" onClick={() => void store(async () => null)}>
            Remove
          </Button>
        )}
      </Group>
      {fault && (
        <Text size="xs" className="bad-ink" role="alert" mt={6}>
          {fault}
        </Text>
      )}
    </div>
  )
}
