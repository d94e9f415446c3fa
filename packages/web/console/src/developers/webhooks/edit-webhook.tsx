import { ActionIcon, Button, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAccountRefresh } from '../../data/use-account.ts'
import { type Draft, useDraft } from '../../form/draft.ts'
import { FormModal } from '../../form/form-modal.tsx'
import { IconPlus, IconX } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { useApi } from '../../session/use-api.ts'
import type { InstallationIds } from '../applications/account-objects.ts'
import { hooksPath, type Webhook } from '../applications/account-objects.ts'
import { type Rule, ruleTypes, ruleVerbs } from './rules.ts'

interface Values {
  readonly url: string
  readonly filter: readonly Rule[]
  readonly expand: string
}

interface EditProps {
  readonly ids: InstallationIds
  /** Omitted for a new webhook. */
  readonly webhook?: Webhook
  readonly onClose: () => void
  readonly onDone: (webhook: Webhook) => void
}

export function EditWebhook({ ids, webhook, onClose, onDone }: EditProps) {
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const [made, setMade] = useState<Webhook>()
  const path = hooksPath(ids.application_id, ids.organization_id)
  const draft = useDraft<Values>(
    {
      url: webhook?.url ?? '',
      filter: webhook?.filter ?? [{ object_type: 'gadget_action', verb: 'use' }],
      expand: webhook?.expand.join(', ') ?? '',
    },
    async ({ url, filter, expand }) => {
      const body = { url, filter, expand: expand.split(/[\s,]+/).filter(Boolean) }
      const saved = webhook
        ? await account<Webhook>('PATCH', `${path}/${webhook.id}`, body)
        : await account<Webhook>('POST', path, body)
      await refresh(path)
      if (saved.secret) setMade(saved)
      else onDone(saved)
    },
    t('Could not save the webhook'),
  )
  if (made)
    return (
      <ShownOnce
        title="Webhook secret"
        what="the secret"
        value={made.secret ?? ''}
        onClose={() => onDone(made)}
      >
        <Text size="sm" c="dimmed">
          Use it to verify the signature of each request, so that no one else can send you events.
        </Text>
      </ShownOnce>
    )
  return (
    <FormModal
      title={webhook ? 'Edit webhook' : 'New webhook'}
      opened
      onClose={onClose}
      draft={draft}
      action={webhook ? 'Save' : 'Add webhook'}
      size="lg"
    >
      <TextInput
        label="URL"
        description="Receives a POST request for each event and must respond with 2xx within 10 seconds"
        type="url"
        required
        maxLength={2048}
        data-autofocus
        placeholder="https://example.com/hook"
        value={draft.values.url}
        error={draft.errorOf('url')}
        onChange={event => draft.set('url', event.currentTarget.value)}
      />
      <Rules draft={draft} />
      <TextInput
        label="Expanded objects"
        description="Objects to include in full, such as object_gadget or subject_member"
        value={draft.values.expand}
        error={draft.errorOf('expand')}
        onChange={event => draft.set('expand', event.currentTarget.value)}
      />
    </FormModal>
  )
}

function Rules({ draft }: { draft: Draft<Values> }) {
  const { filter } = draft.values
  const set = (index: number, rule: Rule) =>
    draft.set(
      'filter',
      filter.map((held, at) => (at === index ? rule : held)),
    )
  return (
    <fieldset className="developers-rules">
      <legend>Events to send</legend>
      <Stack gap={8}>
        {filter.map((rule, index) => (
          <div key={index} className="developers-rule">
            <RuleFields rule={rule} at={index + 1} onChange={changed => set(index, changed)} />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove rule ${index + 1}`}
              onClick={() =>
                draft.set(
                  'filter',
                  filter.filter((_, at) => at !== index),
                )
              }
            >
              <IconX size={14} />
            </ActionIcon>
          </div>
        ))}
        {filter.length === 0 && (
          <Text size="sm" c="dimmed">
            Without a rule, nothing is sent.
          </Text>
        )}
        {draft.errorOf('filter') && (
          <Text size="sm" className="bad-ink">
            {draft.errorOf('filter')}
          </Text>
        )}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => draft.set('filter', [...filter, { object_type: 'member', verb: null }])}
        >
          Add rule
        </Button>
      </Stack>
    </fieldset>
  )
}

interface RuleFieldsProps {
  readonly rule: Rule
  readonly at: number
  readonly onChange: (rule: Rule) => void
}

/** Edits type and verb. The API supports further conditions, which are kept unchanged. */
function RuleFields({ rule, at, onChange }: RuleFieldsProps) {
  const { object_type, 'object.type': spelled, verb, ...rest } = rule
  const type = object_type ?? spelled ?? 'member'
  return (
    <>
      <Select
        aria-label={`Rule ${at}: object type`}
        data={ruleTypes.map(value => ({ value, label: value.replaceAll('_', ' ') }))}
        value={type}
        searchable
        allowDeselect={false}
        onChange={value => onChange({ ...rest, object_type: value, verb: verb ?? null })}
      />
      <Select
        aria-label={`Rule ${at}: verb`}
        data={[{ value: '', label: 'any change' }, ...ruleVerbs.map(value => ({ value, label: value }))]}
        value={verb ?? ''}
        allowDeselect={false}
        onChange={value => onChange({ ...rest, object_type: type, verb: value || null })}
      />
    </>
  )
}
