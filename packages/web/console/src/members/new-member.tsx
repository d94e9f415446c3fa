import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { PickMany } from '../form/pick.tsx'
import { ValidityFields } from '../form/validity-fields.tsx'
import { useApi } from '../session/use-api.ts'
import { useDatesZone } from './use-dates-zone.ts'
import { afterTheEnd } from './validity.ts'

interface Values {
  readonly name: string | null
  readonly starts_at: string | null
  readonly ends_at: string | null
  readonly member_group_ids: readonly string[]
  readonly email: string
  readonly magic_link: boolean
  readonly pin: boolean
}

const nobody: Values = {
  name: null,
  starts_at: null,
  ends_at: null,
  member_group_ids: [],
  email: '',
  magic_link: true,
  pin: false,
}

/** Creates a member with its groups and first credentials in one atomic call. */
export function NewMember({ onClose }: { onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const draft = useDraft(
    nobody,
    async ({ name, starts_at, ends_at, member_group_ids, email, magic_link, pin }) => {
      const member = await client.grants.create({
        member: { name, starts_at, ends_at },
        member_group_ids: [...member_group_ids],
        credentials: {
          ...(email && { emails: [email] }),
          ...(magic_link && { magic_link }),
          ...(pin && { pin: {} }),
        },
      })
      refresh('members')
      go(`/members/${member.id}`, { replace: true })
    },
  )
  const zoned = useDatesZone({ group_ids: draft.values.member_group_ids })
  return (
    <FormModal title="New member" opened onClose={onClose} draft={draft} action="Add member">
      <DeclaredField
        kind="member"
        name="name"
        description="Label for administrators. The guest page never shows it."
        label="Name"
        draft={draft}
        autoFocus
        placeholder="Ana García"
      />
      <PickMany
        plural="member_groups"
        label="Groups"
        description="Determine which doors the member can open"
        value={draft.values.member_group_ids}
        onChange={ids => draft.set('member_group_ids', ids)}
        error={draft.errorOf('member_group_ids')}
      />
      <ValidityFields draft={draft} path="member." zoned={zoned} after={afterTheEnd} />
      <TextInput
        label="Email"
        type="email"
        description="The member can sign in with a code sent to this address"
        value={draft.values.email}
        onChange={event => draft.set('email', event.currentTarget.value)}
        error={draft.errorOf('credentials.emails.0')}
      />
      <Stack gap={8} mt={4}>
        <Checkbox
          label="Create a link"
          description="Opening it on a phone gives immediate access"
          checked={draft.values.magic_link}
          onChange={event => draft.set('magic_link', event.currentTarget.checked)}
        />
        <Checkbox
          label="Create a PIN"
          description="For keypads"
          checked={draft.values.pin}
          onChange={event => draft.set('pin', event.currentTarget.checked)}
        />
      </Stack>
    </FormModal>
  )
}
