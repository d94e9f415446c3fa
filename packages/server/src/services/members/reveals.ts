import type { Row } from '../../database/db.ts'
import { findObject } from '../../store/find.ts'
import { logObject } from '../../store/write.ts'
import type { ActionInput } from '../objects/action.ts'
import type { Context } from '../objects/context.ts'
import { notFound } from '../objects/objects.ts'
import { revealLink } from './member-magic-links.ts'
import { revealPin } from './member-pins.ts'

export function revealMagicLink(input: ActionInput): Promise<Row> {
  return reveal(input, 'secret_ciphertext', 'link', revealLink)
}

export function revealMemberPin(input: ActionInput): Promise<Row> {
  return reveal(input, 'pin_ciphertext', 'pin', revealPin)
}

/** The secret is answered only when the event that says so is stored. */
async function reveal(
  { work, target, id, readBody }: ActionInput,
  column: string,
  name: string,
  open: (context: Context, row: Row) => string,
): Promise<Row> {
  const row = await findObject(work.db, target.resource, target.reach, id, { hidden: [column] })
  if (!row) throw notFound(target.resource)
  readBody()
  const secret = open(work.context, row)
  await logObject(work, target.resource, 'reveal', row)
  const { [column]: _ciphertext, ...object } = row
  return { ...object, [name]: secret }
}
