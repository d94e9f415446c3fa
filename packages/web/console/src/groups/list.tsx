import { Button } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import type { ItemOf, QueryOf } from '../data/collections.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { IconShieldCheck, IconUserQuestion } from '../icons/icons.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { Tags } from '../parts/tags.tsx'
import { useApi } from '../session/use-api.ts'
import { type ExpandedRule, ruleExpands } from './rule.ts'
import { RuleText } from './rule-text.tsx'

const columns: readonly Column<ItemOf<'member_groups'>>[] = [
  {
    title: 'Name',
    width: '1.2fr',
    phone_width: '1fr',
    render: ({ name }) => (
      <span className="two-lines">
        <Name>{name}</Name>
      </span>
    ),
  },
  {
    title: 'Gives access to',
    width: '3fr',
    phone_width: '1.6fr',
    render: ({ permissions }) => <First rules={permissions as readonly ExpandedRule[]} />,
  },
  { title: 'Tags', width: '140px', on_phone: false, render: ({ tag_ids }) => <Tags ids={tag_ids} /> },
]

function First({ rules }: { rules: readonly ExpandedRule[] }) {
  const [first] = rules
  if (!first) return <span className="soft">None yet</span>
  return (
    <span className="groups-first two-lines">
      <RuleText rule={first} />
      {rules.length > 1 && ` · and ${rules.length - 1} more`}
    </span>
  )
}

const query = { expand: ruleExpands, sort: 'name:asc' } as QueryOf<'member_groups'>

export function GroupList() {
  return (
    <ListPage
      title="Groups"
      plural="member_groups"
      columns={columns}
      query={query}
      href={({ id }) => `/groups/${id}`}
      deleted={{ label: 'Show groups', title: 'No deleted groups' }}
      actions={
        <Button
          component={Link}
          href="/groups/who"
          variant="default"
          leftSection={<IconUserQuestion size={14} />}
        >
          Who can open a door?
        </Button>
      }
      adding={{
        label: 'New group',
        first: 'Create your first group',
        dialog: close => <NewGroup onClose={close} />,
      }}
      empty={{
        icon: <IconShieldCheck />,
        title: 'No groups yet',
        about:
          'A group defines which doors its members can open, when and how. Create one for each kind of person: guests, cleaners, staff.',
      }}
    />
  )
}

function NewGroup({ onClose }: { onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const draft = useDraft({ name: '' }, async ({ name }) => {
    const { id } = await client.member_groups.create({ name })
    refresh('member_groups')
    // A group without a rule opens nothing.
    go(`/groups/${id}?rule`, { replace: true })
  })
  return (
    <FormModal title="New group" opened onClose={onClose} draft={draft} action="Create group">
      <DeclaredField
        kind="member_group"
        name="name"
        label="Name"
        draft={draft}
        autoFocus
        placeholder="Cleaning"
      />
    </FormModal>
  )
}
