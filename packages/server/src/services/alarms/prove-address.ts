import { invalid, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { present } from '../../flow/present.ts'
import { findObject } from '../../store/find.ts'
import { updateObject } from '../../store/write.ts'
import { voiceOf } from '../../texts/language.ts'
import { sendLetterLater } from '../mail/letters.ts'
import { countFreely, enoughMail, makeCode, takeCode } from '../mail/mail-codes.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'

type Target = StoredOf<Resources['notification_target']>

const codes_an_hour = 50

/** `POST /notification_targets/{id}/send_code`: proves to the service that somebody at the address wants its mails. */
export async function sendCode({
  work,
  target,
  id,
  readBody,
}: InputOf<'notification_target', 'send_code'>): Promise<Target> {
  const held = await getObject(work, target, id)
  const { language = 'en' } = readBody()
  const address = unproved(held)
  if (address === undefined) return held
  const { context, caller, now } = work
  if (!(await countFreely({ db: context.db, now }, `targets of ${caller.organization_id}`, codes_an_hour)))
    throw enoughMail(`an organization can ask for at most ${codes_an_hour} codes an hour`)
  const code = await makeCode(context, address, 'target', { address }, id)
  if (!code) throw enoughMail('this address has received too many emails; try again in an hour')
  const organization = await nameOf(work)
  sendLetterLater(context, voiceOf(language), address, 'target', { code, organization })
  return held
}

/** `POST /notification_targets/{id}/verify` */
export async function verifyCode({
  work,
  target,
  id,
  readBody,
}: InputOf<'notification_target', 'verify'>): Promise<Target> {
  const address = unproved(await getObject(work, target, id))
  const { code } = readBody()
  // Outside of the transaction, so that each attempt counts.
  const proof = address && (await takeCode(work.context, address, 'target', code, id))
  if (address !== undefined && !proof) throw invalid('code', 'code is wrong, or older than 10 minutes')
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const held = await getObject(inner, target, id, true)
    const isProved = address !== undefined && unproved(held) === address
    return isProved ? updateObject(inner, target.resource, held, { is_verified: true }) : held
  })
}

/** The address that nobody has proved yet, or undefined if messages are sent already. */
function unproved({ id, address, is_deleted, is_verified }: Target): string | undefined {
  if (is_deleted) throw invalid('is_deleted', `the notification target ${id} is deleted; restore it first`)
  return is_verified ? undefined : (address ?? undefined)
}

async function nameOf({ caller, db }: Work): Promise<string> {
  const { organization_id } = caller
  const organization = await findObject(db, resources.organization, { organization_id }, organization_id)
  return present(organization, 'the organization').name
}
