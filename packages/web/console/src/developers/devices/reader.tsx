import { Button, Select, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useObject } from '../../data/use-object.ts'
import { Pick } from '../../form/pick.tsx'
import { IconCreditCard, IconDeviceMobile } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import type { Simulate } from './simulate.ts'

interface Card {
  readonly name: string | null
  readonly uid: string
}

/** Simulates a card of the organization, or any other card by its UID. */
export function CardReader({ act }: { act: Simulate }) {
  const [card_id, setCard] = useState<string | null>(null)
  const [text, setText] = useState('')
  const { data } = useObject('cards', card_id)
  const uid = text || data?.uid || ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void act(t(`Held card ${uid} to the reader`), { card: { uid } })
  }
  return (
    <form onSubmit={submit} className="developers-reader">
      <Stack gap={8}>
        <Text size="sm" fw={600}>
          Card reader
        </Text>
        <Pick
          plural="cards"
          label="Card"
          value={card_id}
          nameOf={(card: Card) => card.name || card.uid}
          onChange={id => {
            setCard(id)
            setText('')
          }}
        />
        <TextInput
          label="UID"
          placeholder="04A1B2C3D4E5F6"
          maxLength={64}
          value={uid}
          onChange={event => {
            setCard(null)
            setText(event.currentTarget.value)
          }}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconCreditCard size={14} />}
          disabled={uid === ''}
        >
          Hold to the reader
        </Button>
      </Stack>
    </form>
  )
}

const ways = [
  { value: 'bluetooth', label: 'Bluetooth' },
  { value: 'mobile_nfc', label: 'NFC' },
] as const
type Way = (typeof ways)[number]['value']

/** Simulates the phone of a member at the reader. */
export function PhoneReader({ act }: { act: Simulate }) {
  const [member_id, setMember] = useState<string | null>(null)
  const [access_method, setWay] = useState<Way>('bluetooth')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (member_id) void act(t(`Used a phone (${access_method})`), { phone: { access_method, member_id } })
  }
  return (
    <form onSubmit={submit} className="developers-reader">
      <Stack gap={8}>
        <Text size="sm" fw={600}>
          Phone
        </Text>
        <Pick plural="members" label="Member" value={member_id} onChange={setMember} />
        <Select
          label="Method"
          data={[...ways]}
          value={access_method}
          allowDeselect={false}
          onChange={way => way && setWay(way as Way)}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconDeviceMobile size={14} />}
          disabled={!member_id}
        >
          Use phone
        </Button>
      </Stack>
    </form>
  )
}
