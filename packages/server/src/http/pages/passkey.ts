import { invalid } from '@gatehouse-access/api'
import { beginSignIn, finishSignIn } from '../../services/accounts/passkeys.ts'
import { visitorOf } from '../browser/sessions.ts'
import { ownPath } from './answer.ts'
import { PageError } from './page-error.ts'
import type { Visit } from './visit.ts'

/** Called by the script of the sign-in page. Both handlers respond with JSON. */
export async function beginPasskey({ context, reply }: Visit): Promise<void> {
  reply.send(await beginSignIn(context))
}

export async function takePasskey({
  context,
  form,
  request,
  reply,
  sessions,
  session,
}: Visit): Promise<void> {
  const token = await finishSignIn(context, readResponse(form.response), visitorOf(request))
  if (!token) throw new PageError('passkey_failed', 401)
  await sessions.end(reply, session)
  await sessions.begin(request, reply, token)
  reply.send({ location: ownPath(form.return_to) })
}

function readResponse(text: string | undefined): Parameters<typeof finishSignIn>[1] {
  try {
    return JSON.parse(text ?? '')
  } catch {
    throw invalid('response', 'response must be the JSON of a credential')
  }
}
