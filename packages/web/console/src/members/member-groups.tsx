import { ActionIcon, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRefresh } from '../data/use-refresh.ts'
import { useRemove } from '../data/use-remove.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { ValidityFields } from '../form/validity-fields.tsx'
import { IconPlus, IconShieldCheck, IconTrash } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { DeletedLines } from '../parts/deleted-lines.tsx'
import { inZone } from '../parts/door-time.ts'
import { Empty } from '../parts/empty.tsx'
import { NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import type { Association, Member } from './member.ts'
import { useDatesZone } from './use-dates-zone.ts'
import { datesOf } from './validity.ts'

export function MemberGroups({ member }: { member: Member }) {
  const { client, may_write } = useApi()
  const remove = useRemove()
  const [is_adding, adding] = useDisclosure(false)
  const { zone } = useDatesZone({ member_id: member.id })
  const restore = (id: string) => client.member_group_associations.edit(member.id, id, { is_deleted: false })
  const leave = ({ id, member_group }: Association) =>
    remove({
      id,
      name: t(`Membership in ${member_group?.name ?? t('the group')}`),
      is_phrase: true,
      plurals: ['members'],
      remove: () => client.member_group_associations.delete(member.id, id),
      restore: () => restore(id),
    })
  return (
    <Section
      title="Groups"
      flush
      actions={
        may_write &&
        !member.is_deleted && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={adding.open}
          >
            Add
          </Button>
        )
      }
    >
      {member.group_associations.length === 0 && (
        <Empty icon={<IconShieldCheck />} title="Not in any group">
          Groups define which doors a member can open. Add the member to one.
        </Empty>
      )}
      <ul className="credentials">
        {member.group_associations.map(association => (
          <li key={association.id} className="credential">
            <IconShieldCheck size={17} aria-hidden />
            <span className="credential-text">
              <NameLink href={`/groups/${association.member_group_id}`}>
                {association.member_group?.name}
              </NameLink>
              {datesOf(association) && (
                <span className="credential-more">{inZone(datesOf(association, zone), zone)}</span>
              )}
            </span>
            {may_write && (
              <ActionIcon
                aria-label={`Remove from ${association.member_group?.name ?? 'the group'}`}
                onClick={() => void leave(association)}
              >
                <IconTrash size={15} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {may_write && !member.is_deleted && (
        <DeletedLines
          label="Deleted memberships"
          of={member.id}
          plurals={['members']}
          load={async (cursor, signal) => {
            const query = { is_deleted: true, limit: 100, expand: ['member_group'], signal }
            const found = await client.member_group_associations.list<Association>(member.id, {
              ...query,
              ...(cursor && { cursor }),
            })
            const data = found.data.map(association => ({
              id: association.id,
              name: association.member_group?.name ?? t('the group'),
              more: datesOf(association) ? inZone(datesOf(association, zone), zone) : undefined,
              restore: () => restore(association.id),
            }))
            return { ...found, data }
          }}
        />
      )}
      {is_adding && <JoinGroup member_id={member.id} onClose={adding.close} />}
    </Section>
  )
}

interface JoinValues {
  readonly member_group_id: string | null
  readonly starts_at: string | null
  readonly ends_at: string | null
}

function JoinGroup({ member_id, onClose }: { member_id: string; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const draft = useDraft<JoinValues>(
    { member_group_id: null, starts_at: null, ends_at: null },
    async values => {
      const { member_group_id, starts_at, ends_at } = values
      await client.member_group_associations.create(member_id, {
        member_group_id: member_group_id ?? '',
        ...(starts_at && { starts_at }),
        ...(ends_at && { ends_at }),
      })
      refresh('members')
      onClose()
    },
  )
  const { member_group_id } = draft.values
  const zoned = useDatesZone({ member_id, group_ids: member_group_id ? [member_group_id] : [] })
  return (
    <FormModal title="Add to a group" opened onClose={onClose} draft={draft} action="Add">
      <Pick
        plural="member_groups"
        label="Group"
        required
        value={draft.values.member_group_id}
        onChange={id => draft.set('member_group_id', id)}
        error={draft.errorOf('member_group_id')}
      />
      <ValidityFields
        draft={draft}
        zoned={zoned}
        about={{ starts_at: t('Only for short-term extra access'), ends_at: t('Usually left empty') }}
      />
    </FormModal>
  )
}
