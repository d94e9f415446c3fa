import { composeMail } from '../mail/compose-mail.ts'
import type { Brand } from '../mail/letter.ts'
import { MailError, type Mailer } from '../mail/mailer.ts'
import { alarmVoiceOf } from '../texts/alarms/language.ts'
import { voiceOf } from '../texts/language.ts'
import { type Message, severityOf } from './message.ts'
import { type Outcome, shorten } from './outcome.ts'
import { putIntoWords } from './words.ts'

export interface MailTarget {
  readonly address: string
  readonly brand: Brand
}

interface Needs {
  readonly mailer: Mailer
  readonly config: { readonly public_url: string }
}

/** A digest names all of its alarms, up to this many. */
const mostLines = 500

/** Mails a message. Its link needs a sign-in: mail scanners follow links, and must change nothing. */
export async function sendMail(
  { mailer, config }: Needs,
  { address, brand }: MailTarget,
  message: Message,
): Promise<Outcome> {
  const { language, url, alarms } = message
  const { title, lines } = putIntoWords(message, mostLines)
  const link = alarmVoiceOf(language).say(alarms.length === 1 ? 'open' : 'open_all', { url })
  const mail = composeMail({
    to: address,
    kind: 'alarm',
    voice: voiceOf(language),
    subject: title,
    text: `${lines.join('\n')}\n\n${link}`,
    brand,
    own_url: config.public_url,
    tone: message.reason === 'ended' ? 'info' : severityOf(message),
  })
  const began = performance.now()
  const error = await mailer.send({ ...mail, id: message.id }).then(() => undefined, asMailError)
  return outcomeOf(error, Math.round(performance.now() - began))
}

function asMailError(error: unknown): MailError {
  return error instanceof MailError ? error : new MailError('the mail was not sent', { cause: error })
}

/** SMTP says by its code whether a refusal is final: 5xx. */
function outcomeOf(error: MailError | undefined, latency: number): Outcome {
  const status_code = error?.status ?? null
  const is_final = status_code !== null && status_code >= 500
  return {
    is_delivered: error === undefined,
    may_retry: error !== undefined && !is_final,
    status_code,
    error: error ? (is_final ? 'mail_refused' : 'mail_failed') : null,
    answer: error?.answer === undefined ? null : shorten(error.answer),
    latency,
  }
}
