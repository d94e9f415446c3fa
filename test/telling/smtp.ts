import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** An SMTP server that keeps what it takes, parsed by independent code. */
export interface Smtp extends AsyncDisposable {
  readonly url: string
  readonly received: Email[]
  /** The answer to the next mails instead of taking them. */
  refusal: { readonly code: number; readonly text: string } | undefined
  /** Keeps the sender waiting for the answer to a mail that is taken, for as long as it says. */
  hold: ((mail: Email) => Promise<unknown> | undefined) | undefined
}

export async function openSmtp(): Promise<Smtp> {
  const received: Email[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      buffer(stream).then(async bytes => {
        if (smtp.refusal)
          return done(Object.assign(new Error(smtp.refusal.text), { responseCode: smtp.refusal.code }))
        const mail = await PostalMime.parse(bytes)
        received.push(mail)
        await smtp.hold?.(mail)
        done()
      }, done)
    },
  })
  // A client that is refused may hang up.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const smtp: Smtp = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refusal: undefined,
    hold: undefined,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
  return smtp
}
