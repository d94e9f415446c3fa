import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { openMailer } from '../../packages/server/src/mail/mailer.ts'
import { openSmtp } from '../telling/smtp.ts'

const mail = {
  to: 'somebody@example.com',
  kind: 'reset',
  subject: 'Your code',
  text: 'The code: ABCD-EFGH\n',
}
const logged: object[] = []
const log = { info: (fields: object) => logged.push(fields) } as never

test('mails go over SMTP; the log names recipient and kind, never the content', async () => {
  await using w = await world()
  await using smtp = await openSmtp()
  using mailer = openMailer({ ...w.server.context.config, smtp_url: smtp.url }, log)
  await mailer.send(mail)
  const [received] = smtp.received
  expect(received?.to?.[0]?.address).toBe(mail.to)
  expect(received?.subject).toBe(mail.subject)
  expect(received?.text).toContain('ABCD-EFGH')
  expect(logged).toEqual([{ to: mail.to, kind: 'reset' }])
  expect(mailer.outbox).toBeUndefined()
})

test('a server that offers no TLS gets no mail where TLS is required', async () => {
  await using w = await world()
  await using smtp = await openSmtp()
  using mailer = openMailer({ ...w.server.context.config, smtp_url: smtp.url, smtp_tls: 'required' }, log)
  await expect(mailer.send(mail)).rejects.toThrow('did not accept the email')
  expect(smtp.received).toEqual([])
})

test('without SMTP mails are kept on loopback, and refused elsewhere with a clear error', async () => {
  await using w = await world()
  const { config } = w.server.context
  for (const other of [{ host: '0.0.0.0' }, { public_url: 'https://gatehouse.example' }]) {
    using mailer = openMailer({ ...config, ...other }, log)
    expect([mailer.outbox, mailer.delivery]).toEqual([undefined, 'none'])
    await expect(mailer.send(mail)).rejects.toThrow('GATEHOUSE_SMTP_URL')
  }
  using local = openMailer(config, log, w.clock)
  expect(local.delivery).toBe('outbox')
  await local.send(mail)
  expect(local.outbox).toEqual([{ ...mail, at: expect.stringContaining(w.clock.now().slice(0, 19)) }])
})
