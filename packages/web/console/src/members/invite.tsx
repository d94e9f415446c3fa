import { guestLanguages } from '@gatehouse-access/api'
import { Select, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import type { Member } from './member.ts'

const names = new Intl.DisplayNames(locale, { type: 'language' })

/** Returns the supported languages, plus the member's own language if it is a different one. */
export function languageChoices(current: string | null) {
  const values = new Set<string>([...guestLanguages, ...(current === null ? [] : [current])])
  return [...values].map(value => ({ value, label: names.of(value) ?? value }))
}

/** Emails the guest the link and PIN in the guest's language. Sending again repeats the same email. */
export function Invite({ member, onClose }: { member: Member; onClose: () => void }) {
  const { client } = useApi()
  const draft = useDraft<{ language: string | null }>(
    { language: member.language },
    async ({ language }) => {
      await client.members.invite(member.id, language ? { language } : {})
      notifications.show({ color: 'teal', message: 'Invitation sent' })
      onClose()
    },
    t('Could not send the invitation'),
  )
  const addresses = member.emails.map(({ email }) => email)
  return (
    <FormModal
      title="Invite by email"
      opened
      onClose={onClose}
      draft={draft}
      action="Send invitation"
      size="sm"
    >
      <Text size="sm">
        {addresses.length === 0
          ? 'This member has no email address yet. Add one under Credentials first.'
          : `Sent to ${addresses.join(', ')} with the member’s link and PIN, or with instructions to sign in if there are none. The email does not include the member’s name.`}
      </Text>
      <Select
        label="Language"
        placeholder="English"
        clearable
        value={draft.values.language}
        onChange={value => draft.set('language', value)}
        error={draft.errorOf('language')}
        data={languageChoices(member.language)}
      />
    </FormModal>
  )
}
