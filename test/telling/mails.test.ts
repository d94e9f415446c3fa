import { once } from 'node:events'
import { createServer } from 'node:net'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '../../packages/server/src/channels/mail.ts'
import { composeMail } from '../../packages/server/src/mail/compose-mail.ts'
import { openMailer } from '../../packages/server/src/mail/mailer.ts'
import { english } from '../../packages/server/src/texts/alarms/english.ts'
import { alarmVoiceOf } from '../../packages/server/src/texts/alarms/language.ts'
import { guestVoiceOf } from '../../packages/server/src/texts/guest/language.ts'
import { voiceOf } from '../../packages/server/src/texts/language.ts'
import { found, password, signUp } from '../oauth/people.ts'
import { Visitor } from '../oauth/visitor.ts'
import { forced, messageOf } from './alarms.ts'
import { openSmtp } from './smtp.ts'

const own_url = 'http://localhost:8080'
const silent = { info: () => undefined } as never
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let w: World
let owner: Visitor
let organization_id: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  owner = await signUp(w, 'owner@example.com', 'Olivia')
  organization_id = await found(owner, 'Hotel <b>Miramar</b>')
})
afterAll(() => w[Symbol.asyncDispose]())

const outbox = (to: string) => w.server.context.mailer.outbox?.filter(mail => mail.to === to) ?? []

test('an alarm arrives as HTML with a plain part, escaped, with its link, and loads nothing', async () => {
  await using smtp = await openSmtp()
  using mailer = openMailer({ ...w.server.context.config, smtp_url: smtp.url }, silent)
  const brand = { name: 'Hotel <Miramar>', logo: { type: 'image/png', bytes: Buffer.from(pixel, 'base64') } }
  const target = { address: 'guard@example.com', brand }
  const alarm = { ...forced, place: 'Door <script>alert(1)</script>\r\nBcc: all@example.com' }
  const message = messageOf({ alarms: [alarm] })
  const outcome = await sendMail({ mailer, config: { public_url: own_url } }, target, message)
  expect(outcome).toMatchObject({ is_delivered: true, error: null })
  const [mail] = smtp.received
  expect(mail?.to?.[0]?.address).toBe('guard@example.com')
  expect(mail?.messageId).toMatch(new RegExp(`^<${message.id}@[\\w.-]+>$`))
  expect(mail?.subject).toBe('Door forced open, Door <script>alert(1)</script> Bcc: all@example.com')
  expect(mail?.text).toContain('Critical. Since 17 Nov 2026, 09:05')
  expect(mail?.text).toContain(`Open the alarm: ${message.url}`)
  expect(mail?.html).toContain('Door &lt;script&gt;alert(1)&lt;/script&gt; Bcc: all@example.com')
  expect(mail?.html).toContain('Hotel &lt;Miramar&gt;')
  expect(mail?.html).toContain(`href="${message.url}"`)
  expect(mail?.html).toContain('prefers-color-scheme:dark')
  expect(mail?.html).not.toMatch(/<script|src="(?!cid:)|url\(|@import|<link/)
  expect(mail?.attachments).toMatchObject([
    { mimeType: 'image/png', disposition: 'inline', contentId: '<logo@gatehouse>', related: true },
  ])
})

test('a mail server says whether another try makes sense, and one that says nothing is given up', async () => {
  await using smtp = await openSmtp()
  using mailer = openMailer({ ...w.server.context.config, smtp_url: smtp.url }, silent)
  const send = (held = mailer) =>
    sendMail(
      { mailer: held, config: { public_url: own_url } },
      { address: 'guard@example.com', brand: { name: 'Hotel' } },
      messageOf(),
    )
  smtp.refusal = { code: 451, text: 'Come back later' }
  expect(await send()).toMatchObject({ is_delivered: false, may_retry: true, status_code: 451 })
  smtp.refusal = { code: 550, text: `No such user ${'x'.repeat(300)}` }
  const refused = await send()
  expect(refused).toMatchObject({ is_delivered: false, may_retry: false, error: 'mail_refused' })
  expect(Buffer.byteLength(refused.answer ?? '')).toBeLessThanOrEqual(200)
  expect(smtp.received).toEqual([])
  const closed = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as { port: number }
  using other = openMailer({ ...w.server.context.config, smtp_url: `smtp://127.0.0.1:${port}` }, silent)
  expect(await send(other)).toMatchObject({ is_delivered: false, may_retry: true, error: 'mail_failed' })
  closed.close()
})

test('ten connections to the mail server are open at once, and no more', async () => {
  await using smtp = await openSmtp()
  using mailer = openMailer({ ...w.server.context.config, smtp_url: smtp.url }, silent)
  const release = Promise.withResolvers<void>()
  let [open, most] = [0, 0]
  smtp.hold = () => {
    most = Math.max(most, ++open)
    return release.promise.then(() => open--)
  }
  const mail = { to: 'guard@example.com', kind: 'test', subject: 'Test', text: 'Test' }
  const sent = Promise.all(Array.from({ length: 15 }, () => mailer.send(mail)))
  await expect.poll(() => smtp.received.length).toBe(10)
  release.resolve()
  await sent
  expect([smtp.received.length, most]).toEqual([15, 10])
})

test('every type of alarm has words in every language, and a digest names them all', async () => {
  const types = Object.keys(english).filter((key): key is keyof typeof english => key.startsWith('type_'))
  for (const language of ['es', 'de', 'fr'] as const) {
    const voice = alarmVoiceOf(language)
    expect(types.filter(type => voice.say(type) === english[type])).toEqual([])
  }
  await using smtp = await openSmtp()
  using mailer = openMailer({ ...w.server.context.config, smtp_url: smtp.url }, silent)
  const alarms = Array.from({ length: 300 }, (_, index) => ({ ...forced, place: `Door ${index}` }))
  const target = { address: 'guard@example.com', brand: { name: 'Hotel' } }
  await sendMail(
    { mailer, config: { public_url: own_url } },
    target,
    messageOf({ reason: 'digest', alarms, language: 'de' }),
  )
  const [mail] = smtp.received
  expect(mail?.subject).toBe('Zusammenfassung: Tür aufgebrochen, Door 0; 299 weitere')
  expect(mail?.html).toContain('lang="de"')
  for (const { place } of alarms)
    expect(mail?.text?.includes(`Tür aufgebrochen, ${place}.`), place).toBe(true)
})

test('only URLs of the service become links, and codes stand out', () => {
  const letter = {
    to: 'a@example.com',
    kind: 'test',
    voice: voiceOf('en'),
    subject: 'Subject',
    text: 'Your code: ABCD-EFGH\n\nRead this: http://evil.example/x\n\nSign in: http://localhost:8080/account\nElse: http://localhost:80801/x',
    brand: { name: 'Hotel' },
    own_url,
    codes: ['ABCD-EFGH'],
  }
  const { html = '', text } = composeMail(letter)
  expect(text).toBe(`${letter.text}\n`)
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url)
  expect([...new Set(links)]).toEqual(['http://localhost:8080/account'])
  expect(html).toMatch(/class="code"[^>]*>ABCD-EFGH</)
  expect(html).toContain('>Sign in</a>')
  const arabic = composeMail({ ...letter, voice: guestVoiceOf('ar') })
  expect(arabic.html).toContain('lang="ar" dir="rtl"')
})

test('codes and invitations come as HTML too, with the name and the logo of the organization', async () => {
  expect(outbox('owner@example.com')[0]?.html).toMatch(/class="code"[^>]*>[0-9A-Z]{4}-[0-9A-Z]{4}</)
  const path = `/account/organizations/${organization_id}`
  expect((await owner.account('PATCH', path, { logo: 'data:image/png;base64,AAAA' })).status).toBe(400)
  expect((await owner.account('PATCH', path, { logo: `data:image/png;base64,${pixel}` })).status).toBe(200)
  await owner.account('POST', `${path}/invitations`, { email: 'new@example.com', role: 'viewer' })
  const [invitation] = outbox('new@example.com')
  expect(invitation?.html).toContain('Hotel &lt;b&gt;Miramar&lt;/b&gt;')
  expect(invitation?.images?.map(({ bytes }) => bytes.toString('base64'))).toEqual([pixel])
  await owner.account('PATCH', path, { logo: null })
  await owner.account('POST', `${path}/invitations`, { email: 'next@example.com', role: 'viewer' })
  expect(outbox('next@example.com')[0]?.images).toBeUndefined()
})

test('who has an account is invited in the language of the last sign-in', async () => {
  await signUp(w, 'lectora@example.com', 'Lucía')
  const reader = await new Visitor(owner.url).get('/sign-in')
  await reader.submit(
    '/sign-in',
    { email: 'lectora@example.com', password },
    { 'accept-language': 'es-ES,en;q=0.5' },
  )
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, {
    email: 'lectora@example.com',
    role: 'viewer',
  })
  expect(outbox('lectora@example.com')[0]?.subject).toMatch(/^Le invitan a /)
})
