import { NumberInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { CardFields, type CardValues, cardOf, noCard } from './card-fields.tsx'
import { type Secret, SecretModal } from './secret.tsx'

export type NewKind = 'magic_link' | 'email' | 'pin' | 'card' | 'token'

interface Values extends CardValues {
  readonly email: string
  readonly length: number | string
  readonly pin: string
}

const nothing: Values = { ...noCard, email: '', length: '', pin: '' }

const titles: Record<NewKind, string> = {
  magic_link: t('New link'),
  email: t('New email'),
  pin: t('New PIN'),
  card: t('New card'),
  token: t('New token'),
}

interface NewCredentialProps {
  readonly kind: NewKind
  readonly member_id: string
  readonly onClose: () => void
}

/** Creates a credential, and then shows its secret if it has one. */
export function NewCredential({ kind, member_id, onClose }: NewCredentialProps) {
  const create = useCreate(kind, member_id)
  const refresh = useRefresh()
  const [secret, setSecret] = useState<Secret>()
  const draft = useDraft(
    nothing,
    async values => {
      const made = await create(values)
      refresh('members')
      if (made) setSecret(made)
      else onClose()
    },
    t('Could not add the credential'),
  )
  if (secret) return <SecretModal title={titles[kind]} secret={secret} onClose={onClose} />
  const text = (name: 'email' | 'pin') => ({
    value: draft.values[name],
    onChange: (event: { currentTarget: { value: string } }) => draft.set(name, event.currentTarget.value),
    error: draft.errorOf(name),
  })
  return (
    <FormModal title={titles[kind]} opened onClose={onClose} draft={draft} action="Add" size="sm">
      {kind === 'magic_link' && (
        <Text size="sm">Anyone with the link has this member’s access. You can show it again later.</Text>
      )}
      {kind === 'token' && (
        <Text size="sm">For an integrator’s mobile SDK. The token is shown only once.</Text>
      )}
      {kind === 'email' && (
        <TextInput
          label="Email"
          type="email"
          required
          description="The member signs in with a code sent to this address"
          data-autofocus
          {...text('email')}
        />
      )}
      {kind === 'pin' && (
        <>
          <NumberInput
            label="Digits"
            description="Leave empty for the shortest safe length"
            min={4}
            max={20}
            clampBehavior="none"
            value={draft.values.length}
            onChange={value => draft.set('length', value)}
            error={draft.errorOf('length')}
          />
          <TextInput label="Or set the PIN yourself" inputMode="numeric" maxLength={20} {...text('pin')} />
        </>
      )}
      {kind === 'card' && <CardFields draft={draft} />}
    </FormModal>
  )
}

function useCreate(kind: NewKind, member_id: string): (values: Values) => Promise<Secret | undefined> {
  const { client } = useApi()
  return async ({ email, length, pin, ...card }) => {
    if (kind === 'magic_link')
      return { kind: 'link', value: (await client.member_magic_links.create(member_id)).link }
    if (kind === 'token')
      return { kind: 'token', value: (await client.member_tokens.create(member_id)).token }
    if (kind === 'pin') {
      const body = { ...(length !== '' && { length: Number(length) }), ...(pin && { pin }) }
      return { kind: 'pin', value: (await client.member_pins.create(member_id, body)).pin }
    }
    if (kind === 'email') await client.member_emails.create(member_id, { email: email.trim() })
    else await client.member_cards.create(member_id, cardOf(card))
    return undefined
  }
}
