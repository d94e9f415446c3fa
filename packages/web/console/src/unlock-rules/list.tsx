import { Badge } from '@mantine/core'
import type { QueryOf } from '../data/collections.ts'
import { IconLockOpen } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { EditUnlockRule } from './edit-unlock-rule.tsx'
import { ruleExpands, type UnlockRule } from './unlock-rule.ts'

const columns: readonly Column<UnlockRule>[] = [
  {
    title: 'Name',
    width: '1.4fr',
    render: ({ name, schedule, gadgets }) => (
      <>
        <Name>{name}</Name>
        <span className="below">
          <bdi>{`${doorsOf(gadgets)} · ${schedule?.name ?? ''}`}</bdi>
        </span>
      </>
    ),
  },
  { title: 'Site', width: '1fr', on_phone: false, render: ({ site }) => <Name>{site?.name}</Name> },
  {
    title: 'Doors',
    width: '1.2fr',
    on_phone: false,
    render: ({ gadgets }) => <bdi className="soft">{doorsOf(gadgets)}</bdi>,
  },
  {
    title: 'Schedule',
    width: '1fr',
    on_phone: false,
    render: ({ schedule }) => <Name>{schedule?.name}</Name>,
  },
  {
    title: 'Unlocks',
    width: '150px',
    phone_width: '124px',
    render: ({ is_enabled, first_person }) => (
      <Badge color={is_enabled ? 'blue' : 'gray'}>
        {is_enabled ? (first_person ? 'First person' : 'By the clock') : 'Off'}
      </Badge>
    ),
  },
]

function doorsOf(gadgets: UnlockRule['gadgets']): string {
  const [first, ...others] = gadgets ?? []
  if (!first) return '–'
  return others.length === 0 ? first.name : t(`${first.name} and ${others.length} more`)
}

const query = { sort: 'name:asc', expand: ruleExpands } as QueryOf<'unlock_rules'>

export function UnlockRuleList() {
  return (
    <ListPage
      title="Unlock rules"
      plural="unlock_rules"
      columns={columns}
      query={query}
      href={({ id }) => `/unlock-rules/${id}`}
      deleted={{ label: 'Show unlock rules', title: 'No deleted unlock rules' }}
      adding={{
        label: 'New unlock rule',
        first: 'Create your first unlock rule',
        dialog: close => <EditUnlockRule onClose={close} />,
      }}
      empty={{
        icon: <IconLockOpen />,
        title: 'No unlock rules yet',
        about:
          'An unlock rule keeps doors unlocked while a schedule is open: by the clock, or from when the first person has come.',
      }}
    />
  )
}
