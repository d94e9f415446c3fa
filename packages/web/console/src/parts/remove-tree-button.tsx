import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { treeLossesOf } from '../access/tree-losses.ts'
import { type Removal, titleOf, useRemove } from '../data/use-remove.tsx'
import { IconTrash } from '../icons/icons.ts'
import { spoken, t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { ConfirmLosses } from './confirm-losses.tsx'
import { showFailure } from './failure.tsx'
import { Name } from './name.tsx'
import { RestoreButton } from './restore-button.tsx'

type TreePlural = 'sites' | 'devices'
type ChildKind = 'device' | 'gadget' | 'gadget_trigger' | 'unlock_rule'

interface Child {
  readonly kind: ChildKind
  readonly id: string
  readonly name: string | null
}

interface TreeProps {
  readonly plural: TreePlural
  readonly object: {
    readonly id: string
    readonly name: string
    readonly is_deleted: boolean
    readonly site_id?: string
  }
  readonly back: string
}

const words: Record<ChildKind, readonly [string, string]> = spoken({
  device: ['device', 'devices'],
  gadget: ['door', 'doors'],
  gadget_trigger: ['trigger', 'triggers'],
  unlock_rule: ['unlock rule', 'unlock rules'],
})

/**
 * Deletes a site or a device. Shows its contents first. They are deleted and restored with it.
 */
export function RemoveTreeButton({ plural, object, back }: TreeProps) {
  const { client, sees_all } = useApi()
  const remove = useRemove()
  const [, go] = useLocation()
  const [inside, setInside] = useState<readonly Child[]>()
  const [lost, setLost] = useState<readonly string[]>([])
  const [is_busy, setBusy] = useState(false)
  const finish = async (children: readonly Child[]) => {
    setInside(undefined)
    if (await remove(removalOf(client, plural, object, children.length > 0))) go(back)
  }
  const ask = async () => {
    setBusy(true)
    try {
      const tried = { dry_run: true } as const
      const { would_delete } = await client[plural].delete<{ would_delete: Child[] }>(object.id, tried)
      const losses = await treeLossesOf(client, { plural, ...object }, would_delete, sees_all)
      setLost(losses)
      if (would_delete.length > 0 || losses.length > 0) setInside(would_delete)
      else await finish([])
    } catch (error) {
      showFailure(error, t(`${titleOf(object)} could not be deleted`))
    }
    setBusy(false)
  }
  if (object.is_deleted) return <RestoreButton removal={removalOf(client, plural, object, true)} />
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={14} />}
        loading={is_busy}
        onClick={() => void ask()}
      >
        Delete
      </Button>
      {inside?.length === 0 && (
        <ConfirmLosses
          name={object.name}
          lost={lost}
          onConfirm={() => finish(inside)}
          onClose={() => setInside(undefined)}
        />
      )}
      {inside && inside.length > 0 && (
        <Modal opened onClose={() => setInside(undefined)} title="Delete everything inside?" size="md">
          <Inside
            name={object.name}
            inside={inside}
            lost={lost}
            onCancel={() => setInside(undefined)}
            onConfirm={() => void finish(inside)}
          />
        </Modal>
      )}
    </>
  )
}

interface InsideProps {
  readonly name: string
  readonly inside: readonly Child[]
  /** What people lose with it, in sentences. */
  readonly lost: readonly string[]
  readonly onCancel: () => void
  readonly onConfirm: () => void
}

function Inside({ name, inside, lost, onCancel, onConfirm }: InsideProps) {
  const kinds = [...Map.groupBy(inside, ({ kind }) => kind)]
  return (
    <Stack gap="sm">
      <Text size="sm" component="div">
        Deleting <Name>{name}</Name> also deletes the following. You can undo this.
      </Text>
      {kinds.map(([kind, children]) => (
        <div key={kind}>
          <Text size="sm" fw={600}>
            {children.length} {words[kind][children.length === 1 ? 0 : 1]}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {kind !== 'gadget_trigger' && <Names items={children} />}
          </Text>
        </div>
      ))}
      {lost.map(sentence => (
        <Text key={sentence} size="sm" fw={600}>
          {sentence}
        </Text>
      ))}
      <Group justify="flex-end" gap="xs" className="form-end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button color="red" onClick={onConfirm}>
          Delete everything
        </Button>
      </Group>
    </Stack>
  )
}

const shown = 12

function Names({ items }: { items: readonly Child[] }) {
  return (
    <ul className="inside-names">
      {items.slice(0, shown).map(({ id, name }) => (
        <li key={id}>
          <Name>{name}</Name>
        </li>
      ))}
      {items.length > shown && <li>and {items.length - shown} more</li>}
    </ul>
  )
}

function removalOf(
  client: ReturnType<typeof useApi>['client'],
  plural: TreePlural,
  { id, name }: TreeProps['object'],
  cascade: boolean,
): Removal {
  return {
    id,
    name,
    plurals: ['sites', 'devices', 'gadgets', 'gadget_triggers', 'unlock_rules'],
    remove: () => client[plural].delete(id, { cascade }),
    restore: () => client[plural].edit(id, { is_deleted: false }, { cascade: true }),
  }
}
