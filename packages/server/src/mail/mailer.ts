import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { once } from '../flow/once.ts'
import { isLocal } from '../network/loopback.ts'

export interface Mail {
  readonly to: string
  /** What the log records about the mail. Its content is never logged. */
  readonly kind: string
  readonly subject: string
  readonly text: string
}

export interface Mailer extends Disposable {
  /** Throws `MailError` if the mail was not accepted. */
  send(mail: Mail): Promise<void>
  /** The last mails, newest first. Undefined unless this service keeps mails instead of sending them. */
  readonly outbox: readonly Mail[] | undefined
}

export class MailError extends Error {
  override name = 'MailError'
}

const mostMails = 50

/**
 * Sends mail over SMTP. Without SMTP, a service that only this machine can reach keeps mail in an outbox, and
 * any other service rejects it.
 */
export function openMailer(config: Config, log: Pick<Logger, 'info'>): Mailer {
  const mailer = config.smtp_url ? overSmtp(config.smtp_url, config) : withoutSmtp(isLocal(config))
  return {
    outbox: mailer.outbox,
    async send(mail) {
      await mailer.send(mail)
      log.info({ to: mail.to, kind: mail.kind }, 'mail sent')
    },
    [Symbol.dispose]: () => mailer[Symbol.dispose](),
  }
}

/** Loaded for the first mail: services without SMTP never need it. */
export const loadMailer = () => import('nodemailer')

/** Connects to the mail server and signs in, without sending anything. Throws what went wrong. */
export async function checkMailServer(config: Config): Promise<void> {
  const transport = await openTransport(config.smtp_url ?? '', config)
  await transport.verify().finally(() => transport.close())
}

async function openTransport(url: string, { mail_from, smtp_tls }: Config) {
  const { createTransport } = await loadMailer()
  return createTransport(smtp_tls === 'required' ? withTls(url) : url, { from: mail_from })
}

function overSmtp(url: string, config: Config): Mailer {
  const transport = once(() => openTransport(url, config))
  return {
    outbox: undefined,
    async send({ to, subject, text }) {
      const opened = await transport()
      await opened.sendMail({ to, subject, text }).catch((cause: Error) => {
        throw new MailError('the mail server did not accept the email', { cause })
      })
    },
    [Symbol.dispose]: () => void transport.made()?.then(opened => opened.close()),
  }
}

/** Requires TLS. Otherwise an attacker who strips the server's TLS offer could read codes and links. */
function withTls(text: string): string {
  const url = new URL(text)
  url.searchParams.set('requireTLS', 'true')
  return url.href
}

function withoutSmtp(is_local: boolean): Mailer {
  const outbox: Mail[] = []
  return {
    outbox: is_local ? outbox : undefined,
    async send(mail) {
      if (!is_local) throw new MailError('no email can be sent: set GATEHOUSE_SMTP_URL')
      outbox.unshift(mail)
      outbox.length = Math.min(outbox.length, mostMails)
    },
    [Symbol.dispose]: () => undefined,
  }
}
