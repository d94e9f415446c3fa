import { parseAddress, type Setting } from './setting.ts'

export const mailSettings = {
  smtp_url: {
    name: 'GATEHOUSE_SMTP_URL',
    default: '(none: on loopback, emails are shown at `/outbox`; elsewhere sending fails)',
    meaning: 'The server that emails are sent through, like `smtps://user:password@mail.example.com`.',
    expected: 'a URL that begins with smtp:// or smtps://',
    parse: text => (/^smtps?:\/\/./.test(text) && URL.canParse(text) ? text : undefined),
    is_secret: true,
  } satisfies Setting<string>,
  smtp_tls: {
    name: 'GATEHOUSE_SMTP_TLS',
    default: '(`required`, except for a server on this machine)',
    meaning: 'Whether emails wait instead of being sent to a server without TLS.',
    expected: 'required or optional',
    parse: text => (['required', 'optional'] as const).find(choice => choice === text),
  } satisfies Setting<'required' | 'optional'>,
  mail_from: {
    name: 'GATEHOUSE_MAIL_FROM',
    default: 'Gatehouse <gatehouse@localhost>',
    meaning: 'The sender of emails.',
    expected: 'an email address, or a name with one in angle brackets',
    parse: text => (/^[^\r\n]*@[^\r\n]+$/.test(text) ? text : undefined),
  } satisfies Setting<string>,
  operator_email: {
    name: 'GATEHOUSE_OPERATOR_EMAIL',
    default: '(GATEHOUSE_ACME_EMAIL)',
    meaning:
      'Who is told by email if backups fail or the certificate is not renewed ([operations](operations.md#alarms-of-the-installation)), and whom pages and emails for accounts name as the one to contact.',
    expected: 'an email address',
    parse: parseAddress,
  } satisfies Setting<string>,
}
