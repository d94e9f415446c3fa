import { optional, type Parts, required, shape } from '../kit/compounds.ts'
import { email, localId, reference, text } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'
import { location } from '../resources/site.ts'
import {
  choices,
  dataOf,
  guestGadget,
  guestPin,
  guestPinRevealed,
  guestSite,
  home,
  pass,
  session,
  who,
} from './shapes.ts'

/** One method on one path of the member API. Routes, OpenAPI and the guide are made from this list. */
export interface MemberEndpoint {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly about: string
  /** False: anybody may ask, to become a member's session. */
  readonly is_signed_in: boolean
  readonly params: { readonly [name: string]: Type<string> }
  readonly body: Parts | undefined
  readonly answer: Type<unknown>
}

type Declared = Partial<Pick<MemberEndpoint, 'is_signed_in' | 'params' | 'body'>>

function endpoint(
  id: string,
  route: string,
  answer: Type<never>,
  about: string,
  declared: Declared = {},
): MemberEndpoint {
  const [method, path] = route.split(' ') as [MemberEndpoint['method'], string]
  const body = method === 'POST' ? (declared.body ?? {}) : undefined
  return {
    is_signed_in: true,
    params: {},
    ...declared,
    id,
    method,
    path,
    about,
    answer: answer as Type<unknown>,
    body,
  }
}

const anybody = { is_signed_in: false } as const

const linkSecret = text(255, {
  pattern: /^mml_[0-9a-hjkmnp-tv-z]{20}_[A-Za-z0-9_-]{43}$/,
  expected: 'what follows # in a magic link',
})
const code = text(16, { min: 6, pattern: /^ *[0-9](?: *[0-9]){5} *$/, expected: 'six digits' })

export const memberEndpoints: readonly MemberEndpoint[] = [
  endpoint(
    'email_code.send',
    'POST /email_codes',
    shape({}) as Type<never>,
    'Mails a code of six digits, good for 10 minutes and 5 tries. The answer is the same for unknown addresses.',
    { ...anybody, body: { email: required(email, 'The address of the guest.') } },
  ),
  endpoint(
    'email_code.check',
    'POST /email_codes/check',
    choices as Type<never>,
    'Answers all living members with this address, of any organization, and a ticket to become one of them.',
    {
      ...anybody,
      body: { email: required(email, 'The address.'), code: required(code, 'The six digits of the mail.') },
    },
  ),
  endpoint(
    'session.open',
    'POST /sessions',
    session as Type<never>,
    'Signs in, by `magic_link` or by `ticket` and `member_id`. It is a `use` of the credential in the events.',
    {
      ...anybody,
      body: {
        magic_link: optional(linkSecret, 'What follows `#` in the link.'),
        ticket: optional(text(255), 'From POST /email_codes/check.'),
        member_id: optional(reference('member'), 'Which of the members.'),
      },
    },
  ),
  endpoint('session.end', 'DELETE /sessions/current', shape({}) as Type<never>, 'Ends this session.'),
  endpoint('me.get', 'GET /me', who as Type<never>, 'Who is signed in.'),
  endpoint('home.get', 'GET /home', home as Type<never>, 'Who, sites, gadgets and PINs in one answer.'),
  endpoint('site.list', 'GET /sites', dataOf(guestSite) as Type<never>, 'Sites of the gadgets below.'),
  endpoint(
    'gadget.list',
    'GET /gadgets',
    dataOf(guestGadget) as Type<never>,
    'Gadgets the member may use, now or later, with what is allowed now and when next; at most 2,000 actions in all.',
  ),
  endpoint(
    'gadget.run_action',
    'POST /gadgets/{gadget_id}/actions/{action_id}',
    shape({}) as Type<never>,
    'Runs an action, as an online action of the member. 403 with `args.reason` when it is not allowed; `args.distance` says how many metres away the phone is.',
    {
      params: { gadget_id: reference('gadget'), action_id: localId },
      body: { location: optional(location, 'Where the phone is; only where the action requires it.') },
    },
  ),
  endpoint(
    'pin.list',
    'GET /pins',
    dataOf(guestPin) as Type<never>,
    'PINs of the member, without their digits.',
  ),
  endpoint(
    'pin.reveal',
    'POST /pins/{member_pin_id}/reveal',
    guestPinRevealed as Type<never>,
    'Answers the digits; leaves a `reveal` event.',
    { params: { member_pin_id: reference('member_pin') } },
  ),
  endpoint(
    'device_pass.issue',
    'POST /devices/{device_id}/passes',
    pass as Type<never>,
    'Issues a pass for Bluetooth and phone NFC, which the device verifies without the internet.',
    { params: { device_id: reference('device') } },
  ),
]
