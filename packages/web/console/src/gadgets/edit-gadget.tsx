import { Textarea } from '@mantine/core'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { PickTags } from '../form/pick-tags.tsx'
import type { Door } from '../overview/door.ts'
import { useApi } from '../session/use-api.ts'

type Part = { readonly id: string; readonly name: string }

/** One line each: `open Open the door`. */
function toLines(parts: readonly Part[]): string {
  return parts.map(({ id, name }) => `${id} ${name}`).join('\n')
}

function fromLines(text: string): Part[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .map(line => {
      const [id = '', ...words] = line.split(/\s+/)
      return { id, name: words.join(' ') || id }
    })
}

const parts = ['actions', 'states', 'signals'] as const

export function EditGadget({ gadget, onClose }: { gadget: Door; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft(
    {
      name: gadget.name,
      tag_ids: gadget.tag_ids,
      actions: toLines(gadget.actions),
      states: toLines(gadget.states),
      signals: toLines(gadget.signals),
    },
    async ({ name, tag_ids, actions, states, signals }) => {
      await client.gadgets.edit(gadget.id, {
        name,
        tag_ids,
        actions: fromLines(actions),
        states: fromLines(states),
        signals: fromLines(signals),
      })
      refresh('gadgets')
      onClose()
    },
  )
  return (
    <FormModal title="Edit gadget" opened onClose={onClose} draft={draft} action="Save">
      <DeclaredField kind="gadget" name="name" label="Name" draft={draft} autoFocus />
      {parts.map(part => (
        <Textarea
          key={part}
          label={part.charAt(0).toUpperCase() + part.slice(1)}
          description="One line each: its id, then its name"
          autosize
          minRows={2}
          value={draft.values[part]}
          error={draft.errorOf(part)}
          onChange={event => draft.set(part, event.currentTarget.value)}
        />
      ))}
      <PickTags kind="gadget" value={draft.values.tag_ids} onChange={ids => draft.set('tag_ids', ids)} />
    </FormModal>
  )
}
