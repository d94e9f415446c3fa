import { composeMail } from '../../mail/compose-mail.ts'
import { type Brand, ownBrand } from '../../mail/letter.ts'
import type { Voice } from '../../texts/language.ts'
import { operatorOf } from '../../texts/operator.ts'
import type { Context } from '../objects/context.ts'

type Kind =
  | 'sign_up'
  | 'known'
  | 'reset'
  | 'changed'
  | 'invitation'
  | 'link'
  | 'passed'
  | 'email'
  | 'moved'
  | 'factor'
  | 'deleted'
  | 'target'
  | 'weekly'
type Needs = Pick<Context, 'mailer' | 'config' | 'log'>

/** Sends a mail in the language of the recipient. */
export function sendLetter(
  { mailer, config }: Needs,
  voice: Voice,
  to: string,
  kind: Kind,
  gaps: Readonly<Record<string, string>>,
  brand: Brand = ownBrand,
): Promise<void> {
  const own_url = config.public_url
  const operator = operatorOf(config, voice)
  const given = { operator, url: `${own_url}/account`, reset_url: `${own_url}/reset-password` }
  const write = (part: 'subject' | 'text') => voice.say(`mail_${kind}_${part}`, { ...given, ...gaps })
  const [subject, text, codes] = [write('subject'), write('text'), gaps.code ? [gaps.code] : []]
  return mailer.send(composeMail({ to, kind, voice, subject, text, brand, own_url, codes }))
}

/** Sends without waiting, so that the response time does not reveal whether there was a mail to send. */
export function sendLetterLater(...letter: Parameters<typeof sendLetter>): void {
  const [context, , to, kind] = letter
  sendLetter(...letter).catch(error => context.log.error({ err: error, to, kind }, 'an email was not sent'))
}
