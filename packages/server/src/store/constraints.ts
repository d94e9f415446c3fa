import { invalid, type RequestError } from '@gatehouse-access/api'
import { PostgresError } from '../database/postgres/wire/errors.ts'
import { codeOf } from '../flow/failures.ts'

/** The error that a violated unique index means for the caller. */
const meanings: Record<string, readonly [field: string, message: string]> = {
  devices_hardware_id_key: [
    'hardware_id',
    'hardware_id is already used by another device of the organization',
  ],
  member_emails_email_key_key: ['email', 'the member already has this email'],
  member_pins_pin_hash_key: [
    'pin',
    'pin cannot be used; choose another, or leave pin out to get a generated one',
  ],
  member_cards_card_id_key: [
    'card_id',
    'the card already belongs to a member; a card has at most one member at a time',
  ],
  cards_uid_key: ['uid', 'uid is already used by another card of the organization'],
  cards_printed_code_key: [
    'printed_code',
    'printed_code is already used by another card of the organization',
  ],
  cards_pkey: ['id', 'the organization already has this card'],
}

/** Returns the 400 error for a unique violation, or undefined for any other error. */
export function explainConflict(error: unknown): RequestError | undefined {
  if (!(error instanceof PostgresError) || !isRepeated(error)) return undefined
  const meaning = meanings[error.constraint_name ?? '']
  return meaning && invalid(meaning[0], meaning[1])
}

/** Whether a statement failed because what it inserts already exists. */
export function isRepeated(error: unknown): boolean {
  return codeOf(error) === '23505'
}
