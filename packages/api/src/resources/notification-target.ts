import { nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, choice, email, flag, integer, reference, text, url } from '../kit/scalars.ts'

export const targetKinds = ['email', 'ntfy', 'http'] as const

/** Those that mails of the service are written in. */
const letterLanguages = ['en', 'es', 'de', 'fr'] as const

const given = { create: 'optional', edit: true } as const
const topicText = text(64, {
  pattern: /^[-_A-Za-z0-9]{1,64}$/,
  expected: 'a topic of 1 to 64 characters A-Z, a-z, 0-9, - and _',
})

const testedParts = {
  notification_id: required(reference('notification'), 'The notification that was sent.'),
  is_delivered: required(flag, 'Whether the target accepted it.'),
  outcome: required(text(64), '`accepted`, or why not, such as `timeout`, `refused` or `address_refused`.'),
  status_code: nullable(integer(100, 999), 'Status of the answer. Null if there was none.'),
}
export type TestedTarget = Shape<typeof testedParts>

export const notificationTarget = resource({
  kind: 'notification_target',
  plural: 'notification_targets',
  path: '/notification_targets',
  about: 'Where people are told of alarms: an email address, a topic of ntfy, or a URL.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  actions: {
    test: {
      method: 'POST',
      path: '/test',
      about: 'Sends a test message at once, and answers what became of it. It is not tried again.',
      scope: 'write',
      bulk: 'not_atomic',
      body: {},
      answer: shape(testedParts),
    },
    send_code: {
      method: 'POST',
      path: '/send_code',
      about:
        'Sends a code to the address, which is valid for 10 minutes. Nothing is sent if the target is verified.',
      scope: 'write',
      bulk: 'not_atomic',
      body: { language: optional(choice(...letterLanguages), 'Language of the mail. Defaults to English.') },
      answer: 'object',
    },
    verify: {
      method: 'POST',
      path: '/verify',
      about: 'Proves the address with the code that was sent to it. A verified target stays as it is.',
      scope: 'write',
      bulk: 'not_atomic',
      body: { code: required(text(32), 'The code.') },
      answer: 'object',
    },
  },
  fields: {
    ...identity('notification_target'),
    name: nameField({
      about: 'Display name. Defaults to the address, the topic or the host.',
      create: 'optional',
      example: 'Guards of Madrid',
    }),
    kind: field(choice(...targetKinds), {
      about: '`email` has an `address`, `ntfy` a `url` and a `topic`, `http` a `url` and a `secret`.',
      create: 'required',
    }),
    address: field(email, {
      personal: 'contact',
      about: 'Of `email`: the address. A new one has to be verified again.',
      example: 'guards@example.com',
      ...given,
      nullable: true,
    }),
    url: field(url, {
      personal: 'secret',
      about: 'Of `ntfy`: the server. Of `http`: what messages are sent to.',
      example: null,
      ...given,
      nullable: true,
    }),
    topic: field(topicText, {
      personal: 'secret',
      about: 'Of `ntfy`: the topic.',
      example: null,
      ...given,
      nullable: true,
    }),
    token: field(text(255), {
      personal: 'secret',
      about: 'Of `ntfy`, if the server asks for one: the access token. Never shown. Null removes it.',
      ...given,
      nullable: true,
      body_only: true,
    }),
    secret: field(text(255, { min: 16 }), {
      personal: 'secret',
      about: 'Of `http`: the key of the signatures. Never shown.',
      ...given,
      nullable: true,
      body_only: true,
    }),
    is_verified: field(flag, {
      about: 'Whether messages are sent to it. An email address has to be proved with a code.',
      example: true,
      initial: false,
      filter: 'equal',
    }),
    secret_ciphertext: field(bytes, {
      about: 'The encrypted secret or token, whichever its kind has.',
      hidden: true,
      nullable: true,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
