import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { useList } from '../data/use-list.ts'
import { IconDoor } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { useApi } from '../session/use-api.ts'

/** Suggests the next object to create in a new organization, which has no doors yet. */
export function FirstSteps() {
  const { may_write } = useApi()
  const sites = useList('sites', { limit: 1 })
  const devices = useList('devices', { limit: 1 })
  const [label, href] =
    sites.items.length === 0
      ? [t('Create your first site'), '/sites?new']
      : devices.items.length === 0
        ? [t('Add your first device'), '/devices?new']
        : [t('Add your first door'), '/gadgets?new']
  const is_known = !sites.is_loading && !devices.is_loading
  return (
    <Empty
      icon={<IconDoor />}
      title="No doors yet"
      action={
        may_write &&
        is_known && (
          <Button component={Link} href={href}>
            {label}
          </Button>
        )
      }
    >
      Create a site, add a device to it, then add what the device controls: a door, a lift, a light.
    </Empty>
  )
}
