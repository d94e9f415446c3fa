import { type EventObject, invalid } from '@gatehouse-access/api'
import { issueGuestPass, revealGuestPin, runGuestAction } from '../../services/guests/actions.ts'
import { getHome, getWho, listGadgets, listPins, listSites } from '../../services/guests/home.ts'
import { endMemberSession, openMemberSession } from '../../services/guests/sessions.ts'
import {
  checkGuestCode,
  enterByLink,
  enterByTicket,
  type Holder,
  sendGuestCode,
} from '../../services/guests/sign-in.ts'
import { requestOwnExport, showOwnExport } from '../../services/privacy/data-export/own-export.ts'
import { logUse } from '../../store/write.ts'
import { visitorOf } from '../browser/sessions.ts'
import { type GuestVisit, guestWork, type MemberVisit } from './visit.ts'

type Handler = (visit: MemberVisit) => Promise<object>

/** The handlers of the member API by endpoint id. A test compares this list with the declarations. */
export const memberHandlers: Readonly<Record<string, Handler>> = {
  async 'email_code.send'({ context, request, body }) {
    await sendGuestCode(context, String(body.email), request.headers['accept-language'])
    return { delivery: context.mailer.delivery }
  },
  'email_code.check': ({ context, body, address }) =>
    checkGuestCode(context, String(body.email), String(body.code), address),
  'session.open': openSession,
  async 'session.end'({ context, guest }) {
    await endMemberSession(context, guest)
    return {}
  },
  'me.get': ({ context, guest }) => getWho(context, guest),
  'home.get': ({ context, guest }) => getHome(context, guest),
  'site.list': async ({ context, guest }) => ({ data: await listSites(context, guest) }),
  'gadget.list': async ({ context, guest }) => ({
    data: await listGadgets(context, guest, context.clock.now()),
  }),
  async 'gadget.run_action'(visit) {
    const { guest, ids, body } = visit
    const { gadget_id = '', action_id = '' } = ids
    await runGuestAction(guestWork(visit, guest), guest, gadget_id, action_id, body.location as undefined)
    return {}
  },
  'pin.list': async ({ context, guest }) => ({ data: await listPins(context, guest) }),
  'pin.reveal': visit =>
    revealGuestPin(guestWork(visit, visit.guest), visit.guest, visit.ids.member_pin_id ?? ''),
  'device_pass.issue': visit =>
    issueGuestPass(guestWork(visit, visit.guest), visit.guest, visit.ids.device_id ?? ''),
  'data_export.get': ({ context, guest }) => showOwnExport(context, guest),
  'data_export.request': visit => requestOwnExport(guestWork(visit, visit.guest), visit.guest),
}

const inForce = {
  is_member_deleted: false,
  is_credential_deleted: false,
  is_credential_suspended: false,
} as const

/** Writes the session and the sign-in event in one transaction. */
async function openSession(visit: GuestVisit): Promise<object> {
  const { context, request } = visit
  const holder = await enter(visit)
  const session = await context.db.transaction(async db => {
    const work = guestWork(visit, holder, db)
    await logUse(work, work.caller.subject(), credentialObject(holder))
    return openMemberSession(visit.context, db, work.now, holder, visitorOf(request))
  })
  const guest = { ...holder, session_id: null, ...inForce }
  return { ...session, home: await getHome(context, guest) }
}

function enter({ context, body, address }: GuestVisit): Promise<Holder> {
  const { magic_link, ticket, member_id } = body as Record<string, string | undefined>
  if (magic_link !== undefined && ticket === undefined && member_id === undefined)
    return enterByLink(context, magic_link, address)
  if (magic_link === undefined && ticket !== undefined && member_id !== undefined)
    return enterByTicket(context, ticket, member_id, address)
  throw invalid('magic_link', 'give either magic_link, or ticket and member_id')
}

function credentialObject({ member_id, member_magic_link_id, member_email_id }: Holder): EventObject {
  return member_magic_link_id
    ? { type: 'member_magic_link', member_magic_link_id, member_id }
    : { type: 'member_email', ...(member_email_id && { member_email_id }), member_id }
}
