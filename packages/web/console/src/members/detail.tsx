import type { SiteZone } from '@gatehouse-access/api'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { IconMail, IconPencil } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { inZone, momentAt } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { History } from '../parts/history.tsx'
import { Later } from '../parts/later.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { Tags } from '../parts/tags.tsx'
import { useApi } from '../session/use-api.ts'
import { SuspendButton, SuspendedNote } from '../suspensions/suspended.tsx'
import type { Suspendable } from '../suspensions/suspension.ts'
import { Credentials } from './credentials.tsx'
import { MemberDoors } from './doors.tsx'
import { EditMember } from './edit-member.tsx'
import { Invite } from './invite.tsx'
import { memberLossesOf } from './losses.ts'
import { type Member, memberExpands } from './member.ts'
import { MemberActivity } from './member-activity.tsx'
import { MemberGroups } from './member-groups.tsx'
import { MemberPrivacy } from './privacy.tsx'
import { StandingBadge } from './standing.tsx'
import { Validity } from './timeline.tsx'
import { useDatesZone } from './use-dates-zone.ts'
import { Why } from './why.tsx'
import './members.css'

export function MemberDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'members', Member>('members', id, memberExpands)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown member={data} />
}

function Shown({ member }: { member: Member }) {
  const { client, may_write, sees_all } = useApi()
  const [is_editing, editing] = useDisclosure(false)
  const [is_inviting, inviting] = useDisclosure(false)
  const name = member.name || (member.erased_at ? t('Erased member') : t('Unnamed member'))
  const zoned = useDatesZone({ member_id: member.id })
  const suspendable: Suspendable = {
    ...member,
    name,
    zoned,
    about: 'every door refuses this member, by whatever way. Leaving is still possible.',
    plurals: ['members'],
    edit: change => client.members.edit(member.id, change),
  }
  const removal = {
    id: member.id,
    name,
    plurals: ['members'],
    remove: () => client.members.delete(member.id),
    restore: () => client.members.edit(member.id, { is_deleted: false }),
  }
  return (
    <Page
      title={name}
      trail={[[t('Members'), '/members']]}
      badge={<StandingBadge member={member} />}
      actions={
        may_write &&
        member.erased_at === null && (
          <>
            <RemoveButton
              removal={removal}
              back="/members"
              is_deleted={member.is_deleted}
              losses={() => memberLossesOf(client, member)}
            />
            {!member.is_deleted && (
              <>
                <SuspendButton of={suspendable} />
                <Button variant="default" leftSection={<IconMail size={14} />} onClick={inviting.open}>
                  Invite
                </Button>
                <Button variant="default" leftSection={<IconPencil size={14} />} onClick={editing.open}>
                  Edit
                </Button>
              </>
            )}
          </>
        )
      }
    >
      {!member.is_deleted && <SuspendedNote of={suspendable} />}
      <div className="columns">
        <div className="stack">
          <Validity member={member} />
          <Credentials member={member} />
          <Why member={member} />
        </div>
        <div className="stack">
          <MemberGroups member={member} />
          <Section title="About">
            <Facts facts={aboutOf(member, zoned.zone)} />
          </Section>
          <MemberActivity member_id={member.id} />
          <History plural="members" id={member.id} name={name} />
          {sees_all && <MemberPrivacy member={member} />}
        </div>
      </div>
      {!member.is_deleted && (
        <Later>
          <MemberDoors member={member} />
        </Later>
      )}
      {is_editing && <EditMember member={member} onClose={editing.close} />}
      {is_inviting && <Invite member={member} onClose={inviting.close} />}
    </Page>
  )
}

/** By the clock of the dates of the member. */
function aboutOf(member: Member, zone: SiteZone | undefined): [string, ReactNode][] {
  const metadata = Object.entries(member.metadata)
  return [
    [t('Tags'), member.tag_ids.length > 0 ? <Tags key="tags" ids={member.tag_ids} /> : '–'],
    [t('External ID'), <bdi key="external">{member.external_id ?? '–'}</bdi>],
    ...metadata.map(([key, value]): [string, ReactNode] => [key, <bdi key={key}>{value}</bdi>]),
    [t('Added'), inZone(momentAt(member.created_at, zone), zone)],
    [
      'ID',
      <span key="id" className="mono">
        {member.id}
      </span>,
    ],
  ]
}
