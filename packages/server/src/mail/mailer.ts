import type { MailDelivery } from '@gatehouse-access/api'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { type Clock, systemClock } from '../flow/clock.ts'
import { once } from '../flow/once.ts'
import { Semaphore } from '../flow/semaphore.ts'
import { systemTimers } from '../flow/timers.ts'
import { isLocal } from '../network/loopback.ts'

export interface Mail {
  readonly to: string
  /** What the log records about the mail. Its content is never logged. */
  readonly kind: string
  readonly subject: string
  /** The same in every attempt, so that mail servers and readers notice a repetition. */
  readonly id?: string
  readonly text: string
  /** The same for clients that show HTML. */
  readonly html?: string
  /** Pictures that the HTML part shows, by their `cid`. */
  readonly images?: readonly MailImage[]
}

interface MailImage {
  readonly cid: string
  readonly type: string
  readonly bytes: Buffer
}

/** A mail that waits to be read in the outbox, and when it would have been sent. */
export interface KeptMail extends Mail {
  readonly at: string
}

export interface Mailer extends Disposable {
  /** Throws `MailError` if the mail was not accepted. */
  send(mail: Mail): Promise<void>
  /** The last mails, newest first. Undefined unless this service keeps mails instead of sending them. */
  readonly outbox: readonly KeptMail[] | undefined
  /** What becomes of mails: `none` if nobody gets them. */
  readonly delivery: MailDelivery
}

export class MailError extends Error {
  override name = 'MailError'
  /** The code of the mail server's answer, if it answered. */
  readonly status: number | undefined
  readonly answer: string | undefined

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    const said: { responseCode?: unknown; response?: unknown } = Object(options?.cause)
    this.status = typeof said.responseCode === 'number' ? said.responseCode : undefined
    this.answer = typeof said.response === 'string' ? said.response : undefined
  }
}

/** Milliseconds for each step of a mail, and for all of it. A mail server that hangs must not hold its sender. */
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
}
const longest = 30_000

/** Mail servers refuse a client that opens too many at once. */
const mostConnections = 10

const mostMails = 50

/**
 * Sends mail over SMTP. Without SMTP, a service that only this machine can reach keeps mail in an outbox, and
 * any other service rejects it.
 */
export function openMailer(config: Config, log: Pick<Logger, 'info'>, clock: Clock = systemClock): Mailer {
  const mailer = config.smtp_url ? overSmtp(config.smtp_url, config) : withoutSmtp(isLocal(config), clock)
  return {
    outbox: mailer.outbox,
    delivery: mailer.delivery,
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
  return createTransport(
    { url: smtp_tls === 'required' ? withTls(url) : url, ...timeouts },
    { from: mail_from },
  )
}

function overSmtp(url: string, config: Config): Mailer {
  const transport = once(() => openTransport(url, config))
  const connections = new Semaphore(mostConnections)
  return {
    outbox: undefined,
    delivery: 'email',
    async send(mail) {
      const opened = await transport()
      // The time counts from here, and who has waited for all of it does not send: the mail would come twice.
      const end = performance.now() + longest
      const send = () => within(end - performance.now(), opened.sendMail(asMessage(mail, config)))
      const turn = connections.run(() => (performance.now() < end ? send() : Promise.reject(tooSlow())))
      await within(longest, turn).catch((cause: Error) => {
        throw new MailError('the mail server did not accept the email', { cause })
      })
    },
    [Symbol.dispose]: () => void transport.made()?.then(opened => opened.close()),
  }
}

function asMessage({ id, to, subject, text, html, images = [] }: Mail, { mail_from }: Config) {
  const attachments = images.map(({ cid, type, bytes }) => ({
    cid,
    content: bytes,
    contentType: type,
    contentDisposition: 'inline' as const,
    filename: type.replace('image/', 'logo.'),
  }))
  // No automatic answers: an absence note is no answer to a code or an alarm.
  const headers = { 'auto-submitted': 'auto-generated' }
  const messageId =
    id === undefined ? undefined : `<${id}@${/@([\w.-]+)/.exec(mail_from)?.[1] ?? 'gatehouse'}>`
  return { to, subject, text, html, attachments, headers, messageId }
}

/** Gives up on a server that answers drop by drop. The mail may still arrive. */
async function within<T>(milliseconds: number, sending: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const cancel = systemTimers.later(milliseconds, () => late.reject(tooSlow()))
  return Promise.race([sending, late.promise]).finally(cancel)
}

function tooSlow(): Error {
  return new Error('the mail server is too slow')
}

/** Requires TLS. Otherwise an attacker who strips the server's TLS offer could read codes and links. */
function withTls(text: string): string {
  const url = new URL(text)
  url.searchParams.set('requireTLS', 'true')
  return url.href
}

function withoutSmtp(is_local: boolean, clock: Clock): Mailer {
  const outbox: KeptMail[] = []
  return {
    outbox: is_local ? outbox : undefined,
    delivery: is_local ? 'outbox' : 'none',
    async send(mail) {
      if (!is_local) throw new MailError('no email can be sent: set GATEHOUSE_SMTP_URL')
      outbox.unshift({ ...mail, at: clock.now() })
      outbox.length = Math.min(outbox.length, mostMails)
    },
    [Symbol.dispose]: () => undefined,
  }
}
