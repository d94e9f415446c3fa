import { Button, FileButton, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { NoPicture, picture_types, shrinkPicture } from '../developers/applications/shrink-picture.ts'
import { IconPhotoUp } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'

/** The picture at the top of the organization's mails and guest page. Each change is saved immediately. */
export function OrganizationLogo() {
  const { account, organization } = useApi()
  const queries = useQueryClient()
  const [is_busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const store = async (makeLogo: () => Promise<string | null>) => {
    setBusy(true)
    setFault(undefined)
    try {
      await account('PATCH', `/organizations/${organization.id}`, { logo: await makeLogo() })
      await queries.refetchQueries({ queryKey: ['session'] })
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
        Shown at the top of emails and of the guest page. PNG, JPEG or WebP; large images are scaled down.
      </Text>
      <Group gap="sm" mb="md">
        {organization.logo_url && (
          <img
            className="logo"
            src={organization.logo_url}
            alt="Current logo"
            style={{ maxWidth: 160, maxHeight: 48 }}
          />
        )}
        <FileButton
          accept={picture_types}
          onChange={file => file && void store(() => shrinkPicture(file))}
          inputProps={{ 'aria-label': 'Logo file' }}
        >
          {props => (
            <Button {...props} variant="default" leftSection={<IconPhotoUp size={14} />} loading={is_busy}>
              {organization.logo_url ? 'Replace' : 'Upload'}
            </Button>
          )}
        </FileButton>
        {organization.logo_url && (
          <Button variant="subtle" color="red" onClick={() => void store(async () => null)}>
            Remove
          </Button>
        )}
      </Group>
      {fault && (
        <Text size="xs" className="bad-ink" role="alert" mb="md">
          {fault}
        </Text>
      )}
    </div>
  )
}
