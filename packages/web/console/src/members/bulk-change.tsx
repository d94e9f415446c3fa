import type { BulkChange } from '@gatehouse-access/api'
import { Radio, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Draft } from '../form/draft.ts'
import { MomentInput } from '../form/moment-input.tsx'
import { PickMany } from '../form/pick.tsx'
import { PickTags } from '../form/pick-tags.tsx'
import { useDatesZone } from './use-dates-zone.ts'

export interface ChangeValues {
  readonly how: 'add' | 'remove'
  readonly ids: readonly string[]
  readonly which: 'starts_at' | 'ends_at'
  readonly at: string | null
}

export const noChange: ChangeValues = { how: 'add', ids: [], which: 'ends_at', at: null }

type Fields = (props: { readonly draft: Draft<ChangeValues> }) => ReactNode

interface Kind {
  readonly label: string
  readonly title: string
  readonly Fields: Fields
  /** Returns what to change. Undefined while nothing has been chosen. */
  changeOf(values: ChangeValues): BulkChange | undefined
}

/** What can be changed of many members at once. */
export const changeKinds = {
  tags: {
    label: 'Tags',
    title: 'Change tags',
    Fields: ({ draft }) => (
      <>
        <How draft={draft} add="Add tags" remove="Remove tags" />
        <PickTags kind="member" value={draft.values.ids} onChange={ids => draft.set('ids', ids)} />
      </>
    ),
    changeOf: ({ how, ids }) => (ids.length > 0 ? { [`${how}_tag_ids`]: [...ids] } : undefined),
  },
  groups: {
    label: 'Groups',
    title: 'Change groups',
    Fields: ({ draft }) => (
      <>
        <How draft={draft} add="Add to groups" remove="Remove from groups" />
        <PickMany
          plural="member_groups"
          label="Groups"
          value={draft.values.ids}
          onChange={ids => draft.set('ids', ids)}
        />
      </>
    ),
    changeOf: ({ how, ids }) => (ids.length > 0 ? { [`${how}_member_group_ids`]: [...ids] } : undefined),
  },
  dates: {
    label: 'Dates',
    title: 'Change dates',
    Fields: ({ draft }) => <DateFields draft={draft} />,
    changeOf: ({ which, at }) => ({ [which]: at }),
  },
  delete: {
    label: 'Delete',
    title: 'Delete members',
    Fields: () => <Text size="sm">Their access ends immediately. You can undo this for 7 days.</Text>,
    changeOf: () => ({ is_deleted: true }),
  },
} satisfies Record<string, Kind>
export type ChangeKind = keyof typeof changeKinds

function How({ draft, add, remove }: { draft: Draft<ChangeValues>; add: string; remove: string }) {
  return (
    <Radio.Group
      aria-label="What to do"
      value={draft.values.how}
      onChange={how => draft.set('how', how as ChangeValues['how'])}
    >
      <Stack gap={10}>
        <Radio value="add" label={add} />
        <Radio value="remove" label={remove} />
      </Stack>
    </Radio.Group>
  )
}

function DateFields({ draft }: { draft: Draft<ChangeValues> }) {
  const dates = useDatesZone()
  return (
    <>
      <Radio.Group
        aria-label="Which date"
        value={draft.values.which}
        onChange={which => draft.set('which', which as ChangeValues['which'])}
      >
        <Stack gap={10}>
          <Radio value="starts_at" label="When access starts" />
          <Radio value="ends_at" label="When access ends" />
        </Stack>
      </Radio.Group>
      <MomentInput
        label={draft.values.which === 'ends_at' ? 'Until' : 'From'}
        {...dates}
        value={draft.values.at}
        onChange={at => draft.set('at', at)}
      />
      {draft.values.at === null && (
        <Text size="xs" c="dimmed">
          Without a date, access {draft.values.which === 'ends_at' ? 'never ends' : 'starts at once'}.
        </Text>
      )}
    </>
  )
}
