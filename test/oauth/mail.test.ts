import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { openMailer } from '../../packages/server/src/mail/mailer.ts'

const mail = {
  to: 'somebody@example.com',
  kind: 'reset',
  subject: 'Your code',
  text: 'The code: ABCD-EFGH\n',
}
const logged: object[] = []
const log = { info: (fields: object) => logged.push(fields) } as never

/** A minimal SMTP server that accepts one email. */
async function openSmtp() {
  const received: string[] = []
  const server = createServer(socket => {
    let is_data = false
    socket.write('220 test\r\n')
    socket.setEncoding('utf8').on('data', chunk => {
      received.push(String(chunk))
      if (is_data && String(chunk).endsWith('\r\n.\r\n')) is_data = false
      else if (is_data) return
      const is_begin = /^DATA/i.test(String(chunk))
      if (is_begin) is_data = true
      socket.write(is_begin ? '354 go on\r\n' : /^QUIT/i.test(String(chunk)) ? '221 bye\r\n' : '250 ok\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { received, server, port: (server.address() as AddressInfo).port }
}

test('mails go over SMTP; the log names recipient and kind, never the content', async () => {
  await using w = await world()
  const { received, server, port } = await openSmtp()
  using mailer = openMailer({ ...w.server.context.config, smtp_url: `smtp://127.0.0.1:${port}` }, log)
  await mailer.send(mail)
  server.close()
  const text = received.join('')
  for (const part of ['RCPT TO:<somebody@example.com>', 'Subject: Your code', 'ABCD-EFGH'])
    expect(text).toContain(part)
  expect(logged).toEqual([{ to: mail.to, kind: 'reset' }])
  expect(mailer.outbox).toBeUndefined()
})

test('a server that offers no TLS gets no mail where TLS is required', async () => {
  await using w = await world()
  const { received, server, port } = await openSmtp()
  const smtp_url = `smtp://127.0.0.1:${port}`
  using mailer = openMailer({ ...w.server.context.config, smtp_url, smtp_tls: 'required' }, log)
  await expect(mailer.send(mail)).rejects.toThrow('did not accept the email')
  server.close()
  expect(received.join('')).not.toMatch(/somebody|ABCD/)
})

test('without SMTP mails are kept on loopback, and refused elsewhere with a clear error', async () => {
  await using w = await world()
  const { config } = w.server.context
  for (const other of [{ host: '0.0.0.0' }, { public_url: 'https://gatehouse.example' }]) {
    using mailer = openMailer({ ...config, ...other }, log)
    expect(mailer.outbox).toBeUndefined()
    await expect(mailer.send(mail)).rejects.toThrow('GATEHOUSE_SMTP_URL')
  }
  using local = openMailer(config, log)
  await local.send(mail)
  expect(local.outbox).toEqual([mail])
})
