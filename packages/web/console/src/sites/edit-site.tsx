import { Textarea, TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import type { ItemOf } from '../data/collections.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { PickTags } from '../form/pick-tags.tsx'
import { browserZone } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { PositionInput } from './position-input.tsx'
import { ZonePick } from './zone-pick.tsx'

type Site = ItemOf<'sites'>

function toValues(site: Site | undefined) {
  return {
    name: site?.name ?? '',
    timezone: site?.timezone ?? browserZone,
    address: site?.map?.address ?? '',
    image_url: site?.map?.image_url ?? '',
    lat: site?.geo?.location.lat ?? ('' as number | string),
    lng: site?.geo?.location.lng ?? ('' as number | string),
    radius: site?.geo?.radius ?? (100 as number | string),
    phone: site?.phone ?? null,
    email: site?.email ?? null,
    info: site?.info ?? null,
    check_in: site?.check_in ?? null,
    alarm_runbook: site?.alarm_runbook ?? null,
    tag_ids: site?.tag_ids ?? [],
  }
}

function toBody(values: ReturnType<typeof toValues>, site: Site | undefined) {
  const { address, image_url, lat, lng, radius, ...rest } = values
  const location = lat !== '' && lng !== '' ? { lat: Number(lat), lng: Number(lng) } : undefined
  const { place_id } = site?.map ?? {}
  return {
    ...rest,
    geo: location ? { location, radius: Number(radius) } : null,
    map: {
      ...(location && { location }),
      ...(place_id && { place_id }),
      ...(address && { address }),
      ...(image_url && { image_url }),
    },
  }
}

/** Creates or edits a site. */
export function EditSite({ site, onClose }: { site?: Site; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const draft = useDraft(toValues(site), async values => {
    const body = toBody(values, site)
    const { id } = site ? await client.sites.edit(site.id, body) : await client.sites.create(body)
    refresh('sites')
    if (site) onClose()
    else go(`/sites/${id}`, { replace: true })
  })
  const { values, set } = draft
  return (
    <FormModal
      title={site ? 'Edit site' : 'New site'}
      opened
      onClose={onClose}
      draft={draft}
      action={site ? 'Save' : 'Create site'}
      size="lg"
    >
      <DeclaredField kind="site" name="name" label="Name" draft={draft} description="" autoFocus />
      <ZonePick
        value={values.timezone}
        onChange={zone => set('timezone', zone)}
        error={draft.errorOf('timezone')}
      />
      <TextInput
        label="Address"
        value={values.address}
        onChange={event => set('address', event.currentTarget.value)}
        error={draft.errorOf('map.address')}
      />
      <TextInput
        label="Picture for members"
        description="URL of a map or photo (https://…)"
        value={values.image_url}
        onChange={event => set('image_url', event.currentTarget.value)}
        error={draft.errorOf('map.image_url')}
      />
      <PositionInput draft={draft} />
      <div className="pair">
        <DeclaredField kind="site" name="phone" label="Phone" draft={draft} description="Shown to members" />
        <DeclaredField kind="site" name="email" label="Email" draft={draft} description="Shown to members" />
      </div>
      <Textarea
        label="Information for members"
        autosize
        minRows={2}
        maxLength={4000}
        value={values.info ?? ''}
        onChange={event => set('info', event.currentTarget.value || null)}
        error={draft.errorOf('info')}
      />
      <Textarea
        label="Check-in"
        description="How to get in. Shown to members until the end of the day they arrive"
        autosize
        minRows={2}
        maxLength={4000}
        value={values.check_in ?? ''}
        onChange={event => set('check_in', event.currentTarget.value || null)}
        error={draft.errorOf('check_in')}
      />
      <Textarea
        label="What to do in an alarm"
        description="Shown with every alarm of this site: whom to call, where the key is, what to check first"
        autosize
        minRows={2}
        maxRows={10}
        maxLength={4000}
        value={values.alarm_runbook ?? ''}
        onChange={event => set('alarm_runbook', event.currentTarget.value || null)}
        error={draft.errorOf('alarm_runbook')}
      />
      <PickTags kind="site" value={values.tag_ids} onChange={ids => set('tag_ids', ids)} />
    </FormModal>
  )
}
