import type { Resources, RevealedOf } from '@gatehouse-access/api'
import { findObject } from '../../store/find.ts'
import { logObject } from '../../store/write.ts'
import type { InputOf } from '../objects/action.ts'
import { notFound } from '../objects/objects.ts'
import { revealLink } from './member-magic-links.ts'
import { revealPin } from './member-pins.ts'

/** Returns the secret only after the reveal event is stored. */
export async function revealMagicLink({
  work,
  target,
  id,
  readBody,
}: InputOf<'member_magic_link', 'reveal'>): Promise<RevealedOf<Resources['member_magic_link']>> {
  const row = await findObject(work.db, target.resource, target.reach, id, { hidden: ['secret_ciphertext'] })
  if (!row) throw notFound(target.resource)
  readBody()
  const { secret_ciphertext, ...object } = row
  const link = revealLink(work.context, { ...object, secret_ciphertext })
  await logObject(work, target.resource, 'reveal', object)
  return { ...object, link }
}

export async function revealMemberPin({
  work,
  target,
  id,
  readBody,
}: InputOf<'member_pin', 'reveal'>): Promise<RevealedOf<Resources['member_pin']>> {
  const row = await findObject(work.db, target.resource, target.reach, id, { hidden: ['pin_ciphertext'] })
  if (!row) throw notFound(target.resource)
  readBody()
  const { pin_ciphertext, ...object } = row
  const pin = revealPin(work.context, { ...object, pin_ciphertext })
  await logObject(work, target.resource, 'reveal', object)
  return { ...object, pin }
}
