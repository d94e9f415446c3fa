import { optional, type Parts, required, shape } from '../kit/compounds.ts'
import { email, localId, reference, text } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'
import { location } from '../resources/site.ts'
import {
  choices,
  codeSent,
  dataExport,
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

/** One method on one path of the member API. Routes, OpenAPI and the guide are generated from this list. */
export interface MemberEndpoint {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly about: string
  /** False: needs no session, because the caller is signing in. */
  readonly is_signed_in: boolean
  readonly params: { readonly [name: string]: Type<string> }
  readonly body: Parts | undefined
  readonly answer: Type<unknown>
}

type Declared = Partial<Pick<MemberEndpoint, 'is_signed_in' | 'params' | 'body'>>

function endpoint(
  id: string,
  route: string,
  answer: Type<unknown>,
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
    answer,
    body,
  }
}

const anybody = { is_signed_in: false } as const

const linkSecret = text(255, {
  pattern: /^mml_[0-9a-hjkmnp-tv-z]{20}_[A-Za-z0-9_-]{43}$/,
  expected: 'the part after # in a magic link',
})
const code = text(16, { min: 6, pattern: /^ *[0-9](?: *[0-9]){5} *$/, expected: 'six digits' })

export const memberEndpoints: readonly MemberEndpoint[] = [
  endpoint(
    'email_code.send',
    'POST /email_codes',
    codeSent,
    'Emails a six-digit code, valid for 10 minutes and 5 attempts. The response is the same for unknown addresses. Its `delivery` says whether this service sends email at all.',
    { ...anybody, body: { email: required(email, 'Email address of the member.') } },
  ),
  endpoint(
    'email_code.check',
    'POST /email_codes/check',
    choices,
    'Returns all members with this address, in any organization, and a ticket to sign in as one of them.',
    {
      ...anybody,
      body: {
        email: required(email, 'Email address of the member.'),
        code: required(code, 'The six-digit code from the email.'),
      },
    },
  ),
  endpoint(
    'session.open',
    'POST /sessions',
    session,
    'Signs in with `magic_link`, or with `ticket` and `member_id`. Recorded as a `use` event of the credential.',
    {
      ...anybody,
      body: {
        magic_link: optional(linkSecret, 'The part after `#` in the link.'),
        ticket: optional(text(255), 'From POST /email_codes/check.'),
        member_id: optional(reference('member'), 'The member to sign in as.'),
      },
    },
  ),
  endpoint('session.end', 'DELETE /sessions/current', shape({}), 'Ends this session.'),
  endpoint('me.get', 'GET /me', who, 'Returns the member who is signed in.'),
  endpoint('home.get', 'GET /home', home, 'Returns the member, sites, gadgets and PINs in one response.'),
  endpoint(
    'site.list',
    'GET /sites',
    dataOf(guestSite),
    "Lists the sites of the member's gadgets; if there are none, as after the end of a stay, those of the member's groups.",
  ),
  endpoint(
    'gadget.list',
    'GET /gadgets',
    dataOf(guestGadget),
    'Lists the gadgets the member can use, now or later, with what is allowed now and when it is next allowed. At most 2,000 actions in total.',
  ),
  endpoint(
    'gadget.run_action',
    'POST /gadgets/{gadget_id}/actions/{action_id}',
    shape({}),
    "Runs an action as the member, online. Returns 403 with `args.reason` if it is not allowed; `args.distance` is the phone's distance in meters.",
    {
      params: { gadget_id: reference('gadget'), action_id: localId },
      body: { location: optional(location, 'Location of the phone, if the action requires it.') },
    },
  ),
  endpoint('pin.list', 'GET /pins', dataOf(guestPin), "Lists the member's PINs, without their digits."),
  endpoint(
    'pin.reveal',
    'POST /pins/{member_pin_id}/reveal',
    guestPinRevealed,
    'Returns the digits. Recorded as a `reveal` event.',
    { params: { member_pin_id: reference('member_pin') } },
  ),
  endpoint(
    'device_pass.issue',
    'POST /devices/{device_id}/passes',
    pass,
    'Issues a pass for Bluetooth and phone NFC, which the device can verify without the internet.',
    { params: { device_id: reference('device') } },
  ),
  endpoint(
    'data_export.get',
    'GET /data_export',
    dataExport,
    'Returns how far the last request for the own data is. Each file is at GET /data_export/files/{name}, for 7 days; fetching it is recorded as a `reveal` event of the member.',
  ),
  endpoint(
    'data_export.request',
    'POST /data_export',
    dataExport,
    'Asks for everything that is held about the member, once a day, if the organization offers it. The member is emailed when it is ready.',
  ),
]
