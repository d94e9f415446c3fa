import { accessMethods, reasons } from '@gatehouse/core'
import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, email, flag, integer, localId, number, reference, text, timestamp } from '../kit/scalars.ts'
import { location } from '../resources/site.ts'

const organization = shape({
  id: required(reference('organization'), 'Its id.'),
  name: required(text(255), 'Its name.'),
})

const whoParts = {
  member_id: required(reference('member'), 'Who is signed in.'),
  organization: required(organization, 'Who gives the access.'),
  starts_at: nullable(timestamp, 'Access begins; null: it has.'),
  ends_at: nullable(timestamp, 'Access ends; null: never.'),
  language: nullable(text(255), 'The language the organization gave for this guest, a BCP 47 tag.'),
}
export const who = shape(whoParts)
export type Who = Shape<typeof whoParts>

const geo = shape({
  location: required(location, 'The middle of the site.'),
  radius: required(number(0, 20_037_508), 'Metres around it that count as present.'),
})

const map = shape({
  location: nullable(location, 'Where it is.'),
  address: nullable(text(1000), 'Postal address.'),
  image_url: nullable(text(2048), 'A picture, from our own origin.'),
})

const siteParts = {
  id: required(reference('site'), 'Its id.'),
  name: required(text(255), 'Its name.'),
  timezone: required(text(64), 'Its time zone, an IANA name: times are shown in it.'),
  geo: nullable(geo, 'Where a phone counts as present.'),
  map: nullable(map, 'How to find it.'),
  phone: nullable(text(32), 'Whom to call.'),
  email: nullable(email, 'Whom to write to.'),
  info: nullable(text(4000, { min: 0 }), 'What else to know.'),
}
export const guestSite = shape(siteParts)
export type GuestSite = Shape<typeof siteParts>

const way = shape({
  access_method: required(choice(...accessMethods), 'How.'),
  is_allowed: required(flag, 'Whether it is allowed now; with `requires_location`: from near the site.'),
  requires_location: required(flag, 'True: the action needs the location of the phone.'),
  reason: nullable(choice(...reasons), 'Why not now; null when allowed.'),
  next_allowed_at: nullable(timestamp, 'The next instant at which it is allowed; now when it is.'),
})

const action = shape({
  id: required(localId, 'Id of the action.'),
  name: required(text(255), 'Display name.'),
  ways: required(list(way, { max: accessMethods.length }), 'Each method that is allowed now or later.'),
})

const gadgetParts = {
  id: required(reference('gadget'), 'Its id.'),
  name: required(text(255), 'Its name.'),
  site_id: required(reference('site'), 'The site it is in.'),
  device_id: required(reference('device'), 'The device a pass is fetched for.'),
  is_online: required(flag, 'False: it cannot be reached through the internet now.'),
  actions: required(list(action, { max: 64 }), 'What the member may do with it.'),
}
export const guestGadget = shape(gadgetParts)
export type GuestGadget = Shape<typeof gadgetParts>

const pinParts = {
  id: required(reference('member_pin'), 'Its id.'),
  length: required(integer(4, 20), 'How many digits.'),
}
export const guestPin = shape(pinParts)
export const guestPinRevealed = shape({ ...pinParts, pin: required(text(20), 'The digits.') })

const homeParts = {
  ...whoParts,
  now: required(timestamp, 'The time of the service.'),
  sites: required(list(guestSite, { max: 10_000 }), 'As GET /sites.'),
  gadgets: required(list(guestGadget, { max: 10_000 }), 'As GET /gadgets.'),
  pins: required(list(guestPin, { max: 1000 }), 'As GET /pins.'),
}
export const home = shape(homeParts)
export type Home = Shape<typeof homeParts>

export const session = shape({
  token: required(text(255), 'To be sent as `Authorization: Bearer`.'),
  expires_at: required(timestamp, 'Until when, unless it is used: each use moves it.'),
  home: required(home, 'Everything for the first screen.'),
})

export const choices = shape({
  ticket: required(text(255), 'Opens a session for one of the members, for 10 minutes.'),
  members: required(
    list(
      shape({
        member_id: required(reference('member'), 'Its id.'),
        organization: required(organization, 'Who gives the access.'),
        starts_at: nullable(timestamp, 'Access begins.'),
        ends_at: nullable(timestamp, 'Access ends.'),
      }),
      { max: 1000 },
    ),
    'All living members with this address.',
  ),
})

export const pass = shape({
  pass: required(text(8000), 'Signed by the service; the phone presents it to the device.'),
  expires_at: required(timestamp, 'At most 24 hours ahead.'),
})

export function dataOf<Value>(item: Parameters<typeof list<Value>>[0]) {
  return shape({ data: required(list(item, { max: 10_000 }), 'All of them.') })
}
