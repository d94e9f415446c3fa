import type { Voice } from '../../texts/language.ts'
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
type Needs = Pick<Context, 'mailer' | 'config' | 'log'>

/** Sends a mail in the language of the recipient. */
export function sendLetter(
  { mailer, config }: Needs,
  voice: Voice,
  to: string,
  kind: Kind,
  gaps: Readonly<Record<string, string>>,
): Promise<void> {
  const urls = { url: `${config.public_url}/account`, reset_url: `${config.public_url}/reset-password` }
  const write = (part: 'subject' | 'text') => voice.say(`mail_${kind}_${part}`, { ...urls, ...gaps })
  return mailer.send({ to, kind, subject: write('subject'), text: `${write('text')}\n` })
}

/** Sends without waiting, so that the response time does not reveal whether there was a mail to send. */
export function sendLetterLater(...[context, voice, to, kind, gaps]: Parameters<typeof sendLetter>): void {
  sendLetter(context, voice, to, kind, gaps).catch(error =>
    context.log.error({ err: error, to, kind }, 'an email was not sent'),
  )
}
