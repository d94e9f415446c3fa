import type { PermissionRule } from '@gatehouse-access/api'
import { ActionIcon, Badge, Button } from '@mantine/core'
import { useState } from 'react'
import { useParams, useSearchParams } from 'wouter'
import { ifStill } from '../data/if-still.ts'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useRemove } from '../data/use-remove.tsx'
import { IconPencil, IconPlus, IconShieldCheck, IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { History } from '../parts/history.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { Tags } from '../parts/tags.tsx'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import { EditGroup } from './edit-group.tsx'
import { GroupMembers } from './group-members.tsx'
import { groupLossesOf } from './losses.ts'
import { withoutRule, withRule } from './put-back.ts'
import { bareRule, type Group, ruleExpands, titleOf } from './rule.ts'
import { RuleEditor } from './rule-editor.tsx'
import { RuleWords } from './rule-words.tsx'
import './groups.css'

export function GroupDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'member_groups', unknown>('member_groups', id, ruleExpands)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown group={data as unknown as Group} />
}

function Shown({ group }: { group: Group }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  const remove = useRemove()
  const [params, setParams] = useSearchParams()
  const [edited, setEdited] = useState<number | undefined>(params.has('rule') && may_write ? 0 : undefined)
  const [is_editing, setEditing] = useState(false)
  const rules = group.permissions.map(bareRule)
  const store = async (permissions: PermissionRule[], seen?: object) => {
    await client.member_groups.edit(group.id, { permissions }, seen && ifStill(seen))
    refresh('member_groups')
  }
  /** Other rules may have changed since these were shown, or an undo was offered. They stay as they are. */
  const change = async (to: (now: readonly PermissionRule[]) => PermissionRule[]) => {
    const now = await client.member_groups.get(group.id)
    await store(to(now.permissions), now)
  }
  const removal = {
    id: group.id,
    name: group.name,
    plurals: ['member_groups'],
    remove: () => client.member_groups.delete(group.id),
    restore: () => client.member_groups.edit(group.id, { is_deleted: false }),
  }
  return (
    <Page
      title={group.name}
      narrow
      trail={[[t('Groups'), '/groups']]}
      badge={group.is_deleted && <Badge color="red">Deleted</Badge>}
      subtitle="A door opens if any one of these rules allows it."
      actions={
        may_write && (
          <>
            <RemoveButton
              removal={removal}
              back="/groups"
              is_deleted={group.is_deleted}
              losses={() => groupLossesOf(client, group.id)}
            />
            {!group.is_deleted && (
              <>
                <Button
                  variant="default"
                  leftSection={<IconPencil size={14} />}
                  onClick={() => setEditing(true)}
                >
                  Edit
                </Button>
                <Button leftSection={<IconPlus size={14} />} onClick={() => setEdited(rules.length)}>
                  Add rule
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <Section title="Rules" flush>
        {rules.length === 0 ? (
          <Empty icon={<IconShieldCheck />} title="This group has no access yet">
            Add a rule that says which doors its members can open, when and how.
          </Empty>
        ) : (
          <ul className="rule-list">
            {group.permissions.map((rule, index) => (
              <li key={index}>
                <RuleWords rule={rule} who={group.name} />
                {may_write && !group.is_deleted && (
                  <>
                    <ActionIcon aria-label={`Edit rule ${index + 1}`} onClick={() => setEdited(index)}>
                      <IconPencil size={15} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`Delete rule ${index + 1}`}
                      onClick={() =>
                        void remove({
                          name: titleOf(rule),
                          is_phrase: true,
                          plurals: ['member_groups'],
                          remove: () => change(now => withoutRule(now, bareRule(rule))),
                          restore: () => change(now => withRule(now, rules, index)),
                        })
                      }
                    >
                      <IconTrash size={15} />
                    </ActionIcon>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="About">
        <Facts
          facts={[
            [t('Tags'), group.tag_ids.length > 0 ? <Tags key="tags" ids={group.tag_ids} /> : '–'],
            [t('Created'), <OwnTime key="made" at={group.created_at} />],
            [
              'ID',
              <span key="id" className="mono">
                {group.id}
              </span>,
            ],
          ]}
        />
      </Section>
      <GroupMembers group={group} />
      <History plural="member_groups" id={group.id} name={group.name} />
      {edited !== undefined && (
        <RuleEditor
          title={edited < rules.length ? 'Edit rule' : 'New rule'}
          rule={rules[edited]}
          place={edited}
          group_id={group.id}
          onSave={given => store(rules.toSpliced(edited, 1, ...given))}
          onClose={() => {
            setEdited(undefined)
            if (params.has('rule')) setParams({}, { replace: true })
          }}
        />
      )}
      {is_editing && <EditGroup group={group} onClose={() => setEditing(false)} />}
    </Page>
  )
}
