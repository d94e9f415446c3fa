import { accessMethods, reasonForGuests, reasons } from '@gatehouse-access/core'
import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { localDate } from '../kit/local-date.ts'
import {
  choice,
  color,
  email,
  flag,
  integer,
  localId,
  nameText,
  number,
  reference,
  text,
  timestamp,
} from '../kit/scalars.ts'
import { location } from '../resources/site.ts'
import { zoneTable } from '../resources/zone.ts'

const organization = shape({
  id: required(reference('organization'), 'Unique identifier.'),
  name: required(text(255), 'Display name.'),
})

const colors = shape({
  accent: required(color, 'Of buttons and symbols.'),
  ink: required(color, 'Of text on `accent`.'),
  wash: required(color, 'Of quiet surfaces, for text in the colors of the page.'),
})

const host = shape({
  id: required(reference('organization'), 'Unique identifier.'),
  name: required(text(255), 'Display name.'),
  logo_url: nullable(text(2048), 'URL of its logo, served by this service. It changes with the logo.'),
  color: nullable(color, 'Color of its brand.'),
  colors: nullable(
    shape({
      light: required(colors, 'For light pages.'),
      dark: required(colors, 'For dark pages.'),
    }),
    'That color as it is readable: on light pages, and on dark ones.',
  ),
})

const codeSentParts = {
  delivery: required(
    choice('email', 'outbox', 'none'),
    'What becomes of codes: `email`; `outbox` if this service keeps mails at `/outbox` of its own machine; `none` if nobody gets them, because it sends no email.',
  ),
}
export const codeSent = shape(codeSentParts)
export type MailDelivery = Shape<typeof codeSentParts>['delivery']

const whoParts = {
  member_id: required(reference('member'), 'The member who is signed in.'),
  organization: required(host, 'The organization that grants the access.'),
  starts_at: nullable(timestamp, 'When access starts. Null if it already has.'),
  ends_at: nullable(timestamp, 'When access ends. Null for never.'),
  language: nullable(text(255), 'The language the organization set for this member, as a BCP 47 tag.'),
}
export const who = shape(whoParts)
export type Who = Shape<typeof whoParts>

const geo = shape({
  location: required(location, 'Center of the site.'),
  radius: required(number(0, 20_037_508), 'Radius in meters within which a phone counts as present.'),
})

const map = shape({
  location: nullable(location, 'Location.'),
  address: nullable(text(1000), 'Postal address.'),
  image_url: nullable(text(2048), 'URL of a picture, served by this service.'),
})

const siteParts = {
  id: required(reference('site'), 'Unique identifier.'),
  name: required(text(255), 'Display name.'),
  timezone: required(text(64), 'Its time zone, as an IANA name. Show times in it.'),
  zone: nullable(
    zoneTable,
    'The offsets of that zone over some years. Show times by it: the zone data of the phone may be older.',
  ),
  geo: nullable(geo, 'The area in which a phone counts as present.'),
  map: nullable(map, 'How to find it.'),
  phone: nullable(text(32), 'Phone number for questions.'),
  email: nullable(email, 'Email address for questions.'),
  info: nullable(text(4000, { min: 0 }), 'More information.'),
  check_in: nullable(
    text(4000, { min: 0 }),
    'How to get in. Show it until the end of the day on which the stay starts.',
  ),
}
export const guestSite = shape(siteParts)
export type GuestSite = Shape<typeof siteParts>

const closedBy = shape({
  date: required(localDate, 'The date at the site.'),
  name: nullable(nameText, 'Its name, if guests may read it.'),
})

/** Reasons that members are not told appear as another one. */
const guestReasons = [...new Set(reasons.map(reasonForGuests))]

const way = shape({
  access_method: required(choice(...accessMethods), 'How.'),
  is_allowed: required(flag, 'Whether it is allowed now. With `requires_location`, only near the site.'),
  requires_location: required(flag, "True if the action needs the phone's location."),
  reason: nullable(
    choice(...guestReasons),
    'Why it is not allowed now. Null if it is. `door_closed`: nobody knows for how long.',
  ),
  next_allowed_at: nullable(
    timestamp,
    'The next time at which it is allowed. The current time if it is allowed now. Null for `door_closed`.',
  ),
  closed_by: nullable(closedBy, 'The special day on account of which it is not allowed now.'),
})

const action = shape({
  id: required(localId, 'ID of the action.'),
  name: required(text(255), 'Display name.'),
  ways: required(list(way, { max: accessMethods.length }), 'Every method that is allowed now or later.'),
})

const gadgetParts = {
  id: required(reference('gadget'), 'Unique identifier.'),
  name: required(text(255), 'Display name.'),
  site_id: required(reference('site'), 'The site it is in.'),
  device_id: required(reference('device'), 'The device to fetch a pass for.'),
  is_online: required(flag, 'False if it cannot be reached over the internet right now.'),
  actions: required(list(action, { max: 64 }), 'What the member can do with it.'),
}
export const guestGadget = shape(gadgetParts)
export type GuestGadget = Shape<typeof gadgetParts>

const pinParts = {
  id: required(reference('member_pin'), 'Unique identifier.'),
  length: required(integer(4, 20), 'Number of digits.'),
}
export const guestPin = shape(pinParts)
export const guestPinRevealed = shape({ ...pinParts, pin: required(text(20), 'The digits.') })

const homeParts = {
  ...whoParts,
  now: required(timestamp, 'Current time of the service.'),
  access_ended_at: nullable(
    timestamp,
    "When the last of the member's groups ended, if all have. `ends_at` is the end of the member.",
  ),
  sites: required(list(guestSite, { max: 10_000 }), 'As in GET /sites.'),
  gadgets: required(list(guestGadget, { max: 10_000 }), 'As in GET /gadgets.'),
  pins: required(list(guestPin, { max: 1000 }), 'As in GET /pins.'),
  offers_data_export: required(flag, 'Whether the member can ask for what is held about them.'),
}
export const home = shape(homeParts)
export type Home = Shape<typeof homeParts>

const dataFile = shape({
  name: required(text(64), 'For GET /data_export/files/{name}.'),
  media_type: required(text(255), 'Media type.'),
  bytes: required(integer(0, Number.MAX_SAFE_INTEGER), 'Size in bytes.'),
})

const dataExportParts = {
  state: nullable(
    choice('making', 'ready', 'failed'),
    'How far the last request is. Null if there was none, or its files have expired.',
  ),
  requested_at: nullable(timestamp, 'When it was requested.'),
  expires_at: nullable(timestamp, 'Until when the files can be fetched.'),
  files: required(list(dataFile, { max: 8 }), 'The files, once they are ready: a page to read and JSON.'),
  next_at: nullable(timestamp, 'From when on it can be requested again. Null for now.'),
}
export const dataExport = shape(dataExportParts)
export type GuestDataExport = Shape<typeof dataExportParts>

export const session = shape({
  token: required(text(255), 'Send it as `Authorization: Bearer`.'),
  expires_at: required(timestamp, 'When it expires. Each use extends it.'),
  home: required(home, 'Everything needed for the first screen.'),
})

export const choices = shape({
  ticket: required(text(255), 'Starts a session for one of the members. Valid for 10 minutes.'),
  members: required(
    list(
      shape({
        member_id: required(reference('member'), 'Unique identifier.'),
        organization: required(organization, 'The organization that grants the access.'),
        starts_at: nullable(timestamp, 'When access starts.'),
        ends_at: nullable(timestamp, 'When access ends.'),
      }),
      { max: 1000 },
    ),
    'All members with this address.',
  ),
})

export const pass = shape({
  pass: required(text(8000), 'Signed by the service. The phone presents it to the device.'),
  expires_at: required(timestamp, 'When it expires, at most 24 hours from now.'),
})

export function dataOf<Value>(item: Parameters<typeof list<Value>>[0]) {
  return shape({ data: required(list(item, { max: 10_000 }), 'All of them.') })
}
