import { findInputRuleProblem } from '@gatehouse-access/core'
import { ActionIcon, Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { Pick } from '../form/pick.tsx'
import { IconPlus, IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { capital } from '../parts/capital.ts'
import { NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { plainWords } from '../parts/plain-words.ts'
import { useApi } from '../session/use-api.ts'
import type { Device } from './device.ts'

type Rule = { readonly code: string; readonly gadget_id: string | null; readonly action_id: string | null }

const frame = {
  title: 'Keypad and cards',
  about:
    'Entering a code followed by a PIN or card runs the action. Without a code, the default rule applies.',
}

/** What typed codes and tapped cards do. */
export function InputRules({ device }: { device: Device }) {
  const { may_write } = useApi()
  if (may_write) return <EditRules device={device} />
  return (
    <Section {...frame}>
      <NoRules rules={device.input_rules} />
      <ul className="devices-list">
        {device.input_rules.map(rule => (
          <RuleLine key={rule.code} rule={rule} />
        ))}
      </ul>
    </Section>
  )
}

function NoRules({ rules }: { rules: readonly Rule[] }) {
  if (rules.length > 0) return null
  return (
    <Text size="sm" c="dimmed">
      No rules: a PIN or card runs the first action of the first door.
    </Text>
  )
}

/** A rule for those who only read: `*1 → Pool, Open`. */
function RuleLine({ rule: { code, gadget_id, action_id } }: { rule: Rule }) {
  const { data } = useObject('gadgets', gadget_id)
  const action = data?.actions.find(({ id }) => id === action_id)
  return (
    <li>
      {code === '' ? 'Default' : <span className="mono">{code}</span>}
      {' → '}
      <NameLink href={`/gadgets/${gadget_id}`}>{data?.name ?? '…'}</NameLink>
      {', '}
      <bdi>{action?.name ?? action_id}</bdi>
    </li>
  )
}

/** Reports conflicts while typing, using the same check as the service. */
function EditRules({ device }: { device: Device }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft<{ rules: readonly Rule[] }>(
    { rules: device.input_rules },
    async ({ rules }) => {
      await client.devices.edit(device.id, {
        input_rules: rules.map(({ code, gadget_id, action_id }) => ({
          code,
          gadget_id: gadget_id ?? '',
          action_id: action_id ?? '',
        })),
      })
      refresh('devices')
    },
    t('Could not save the rules'),
  )
  const { rules } = draft.values
  const problem = findInputRuleProblem(rules as { code: string; gadget_id: string; action_id: string }[])
  const set = (index: number, change: Partial<Rule>) =>
    draft.set(
      'rules',
      rules.map((rule, place) => (place === index ? { ...rule, ...change } : rule)),
    )
  const errorAt = (index: number) =>
    problem?.field === `input_rules.${index}.code`
      ? capital(plainWords(problem.message))
      : draft.errorOf(`input_rules.${index}.code`)
  return (
    <Section
      {...frame}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            draft.set('rules', [
              ...rules,
              { code: rules.length === 0 ? '' : '*', gadget_id: null, action_id: null },
            ])
          }
        >
          Add rule
        </Button>
      }
    >
      <NoRules rules={rules} />
      <form onSubmit={draft.submit}>
        {rules.map((rule, index) => (
          <div key={index} className="devices-rule">
            <TextInput
              label="Code"
              placeholder="Default"
              value={rule.code}
              maxLength={32}
              error={errorAt(index)}
              onChange={event => set(index, { code: event.currentTarget.value.replaceAll(/[^0-9#*]/g, '') })}
            />
            <Pick
              plural="gadgets"
              label="Door"
              query={{ site_id: device.site_id }}
              value={rule.gadget_id}
              onChange={gadget_id => set(index, { gadget_id, action_id: null })}
              error={draft.errorOf(`input_rules.${index}.gadget_id`)}
            />
            <Actions rule={rule} onChange={action_id => set(index, { action_id })} />
            <ActionIcon
              aria-label={`Remove rule ${index + 1}`}
              onClick={() =>
                draft.set(
                  'rules',
                  rules.filter((_, place) => place !== index),
                )
              }
            >
              <IconTrash size={15} />
            </ActionIcon>
          </div>
        ))}
        {draft.is_dirty && (
          <Group gap="xs" mt="sm">
            <Button type="submit" disabled={problem !== undefined} loading={draft.is_saving}>
              Save rules
            </Button>
            <Button variant="default" onClick={() => draft.reset()}>
              Discard
            </Button>
          </Group>
        )}
      </form>
    </Section>
  )
}

interface ActionsProps {
  readonly rule: Rule
  readonly onChange: (id: string | null) => void
}

function Actions({ rule, onChange }: ActionsProps) {
  const { data } = useObject('gadgets', rule.gadget_id)
  return (
    <Select
      label="Action"
      disabled={!rule.gadget_id}
      value={rule.action_id}
      onChange={onChange}
      allowDeselect={false}
      data={data?.actions.map(({ id, name }) => ({ value: id, label: name })) ?? []}
    />
  )
}
