import { Button, Select, Text } from '@mantine/core'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick, PickMany } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import type { Site } from './site.ts'

interface Values {
  readonly source_gadget_id: string | null
  readonly source_state_id: string | null
  readonly release_gadget_ids: readonly string[]
}

/** Says which contact means a fire, and which doors are held open besides those that lock people in. */
export function EditFire({ site, onClose }: { site: Site; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const save = async (fire: Parameters<typeof client.sites.edit>[1]['fire']) => {
    await client.sites.edit(site.id, { fire: fire ?? null })
    refresh('sites', 'gadgets', 'modes')
    onClose()
  }
  const draft = useDraft<Values>(
    {
      source_gadget_id: site.fire?.source_gadget_id ?? null,
      source_state_id: site.fire?.source_state_id ?? null,
      release_gadget_ids: site.fire?.release_gadget_ids ?? [],
    },
    ({ source_gadget_id, source_state_id, release_gadget_ids }) =>
      save({
        source_gadget_id: source_gadget_id ?? '',
        source_state_id: source_state_id ?? '',
        release_gadget_ids: [...release_gadget_ids],
      }),
  )
  const { values, set, errorOf } = draft
  const { data: gadget } = useObject('gadgets', values.source_gadget_id)
  const query = { site_id: site.id }
  const remove = () => save(null).catch(error => void showFailure(error, t('Could not save')))
  return (
    <FormModal title="Fire alarm" opened onClose={onClose} draft={draft} action="Save">
      <Pick
        plural="gadgets"
        label="Contact"
        description="What reports the alarm. One of this site."
        required
        query={query}
        value={values.source_gadget_id}
        onChange={id => {
          set('source_gadget_id', id)
          set('source_state_id', null)
        }}
        error={errorOf('fire.source_gadget_id')}
      />
      <Select
        label="State while there is a fire"
        required
        allowDeselect={false}
        disabled={!gadget}
        placeholder={gadget && gadget.states.length === 0 ? 'It has no states' : ''}
        data={gadget?.states.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={values.source_state_id}
        onChange={id => set('source_state_id', id)}
        error={errorOf('fire.source_state_id')}
      />
      <PickMany
        plural="gadgets"
        label="Also held open"
        description="Doors that people leave only by a signal always are."
        placeholder="None"
        query={query}
        value={values.release_gadget_ids}
        onChange={ids => set('release_gadget_ids', ids)}
        error={errorOf('fire.release_gadget_ids')}
      />
      <Text size="xs" c="dimmed">
        Fire release is wired in hardware. This adds to it and never replaces it.
      </Text>
      {site.fire && (
        <Button variant="subtle" color="red" size="compact-xs" onClick={() => void remove()}>
          No contact any more
        </Button>
      )}
    </FormModal>
  )
}
