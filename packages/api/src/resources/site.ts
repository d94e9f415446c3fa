import { list, nullable, optional, required, shape, whole } from '../kit/compounds.ts'
import { all } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { email, flag, number, reference, text, timestamp, timezone, url } from '../kit/scalars.ts'
import { floorPlan, setFloorPlan } from './floor-plan.ts'
import { history } from './history.ts'
import { maintenanceField, setMaintenance } from './maintenance.ts'
import { daysOfSite } from './preview.ts'
import { fireReset, shownFire, siteFire } from './site-fire.ts'
import { tagIds } from './tag.ts'
import { uses } from './uses.ts'
import { clockChange, zoneOfSite } from './zone.ts'

export const location = shape({
  lat: required(number(-90, 90), 'Degrees north.'),
  lng: required(number(-180, 180), 'Degrees east.'),
})

export const geo = shape({
  location: required(location, 'Center of the site.'),
  radius: required(number(0, 20_037_508), 'Radius in meters within which a phone counts as present.'),
})

const emptyMap = { location: null, place_id: null, address: null, image_url: null }
const map = whole(
  shape({
    location: nullable(location, 'Where the map shows the site.'),
    place_id: nullable(text(255), 'Place ID from a map service.'),
    address: nullable(text(1000), 'Postal address.'),
    image_url: nullable(url, "URL of a picture shown at the top of the site's page."),
  }),
  emptyMap,
)

/** What the zone data says is not in the row: the service adds it when it answers. */
const addedByService = () => null

export const site = resource({
  kind: 'site',
  plural: 'sites',
  path: '/sites',
  about: 'A physical place such as a building or floor.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  children: ['device', 'gadget', 'gadget_trigger', 'unlock_rule'],
  expands: { calendars: all('calendar'), tags: all('tag') },
  actions: {
    days: daysOfSite,
    zone: zoneOfSite,
    fire_reset: fireReset,
    maintenance: setMaintenance,
    floor_plan: floorPlan,
    set_floor_plan: setFloorPlan,
    history,
    uses,
  },
  policy: { rows: 'sites', first: ['timezone'] },
  fields: {
    ...identity('site'),
    name: nameField({ create: 'required', example: 'Madrid' }),
    geo: field(geo, {
      personal: null,
      about: 'Area used to check whether a phone is near.',
      example: { location: { lat: 40.4168, lng: -3.7038 }, radius: 150 },
      create: 'optional',
      edit: true,
      nullable: true,
      engine: true,
      slice: true,
    }),
    map: field(map, {
      personal: null,
      about: 'Shown to members. Responses hold every key, null if unset.',
      example: { address: 'Calle Mayor 1, Madrid' },
      create: 'optional',
      edit: true,
      nullable: true,
      render: (held: object | null) => held && { ...emptyMap, ...held },
    }),
    phone: field(text(32), {
      personal: 'contact',
      about: 'Shown to members.',
      example: '+34 910 000 000',
      create: 'optional',
      edit: true,
      nullable: true,
    }),
    email: field(email, {
      personal: 'contact',
      about: 'Shown to members.',
      example: 'desk@example.com',
      create: 'optional',
      edit: true,
      nullable: true,
    }),
    info: field(text(4000, { min: 0 }), {
      personal: 'free',
      about: 'Free-form information for members.',
      example: 'Breakfast from 7.',
      create: 'optional',
      edit: true,
      nullable: true,
    }),
    check_in: field(text(4000, { min: 0 }), {
      personal: 'free',
      about:
        'How to get in: where the key is, when the desk is staffed. Shown to members until the end of the day on which their stay starts; without a start, until it ends.',
      example: 'The desk is open until 22:00. Later, use your PIN at the side door.',
      create: 'optional',
      edit: true,
      nullable: true,
    }),
    timezone: field(timezone, {
      personal: null,
      about: 'Local time zone, as an IANA name.',
      example: 'Europe/Madrid',
      create: 'required',
      edit: true,
      filter: 'equal',
      engine: true,
      // A device can know fewer zones than the service. In an unknown zone, schedules are never open.
      slice: { part: required(text(64), 'IANA name of its time zone.') },
    }),
    is_timezone_known: field(flag, {
      about:
        'False if the time zone data of the service does not know the zone any more. The last table known goes on; choose another zone.',
      example: true,
      derive: () => true,
    }),
    timezone_release: field(text(32), {
      personal: null,
      about:
        'The release of the time zone database that the service uses for the zone. Null if nothing is known of it.',
      example: '2026b',
      nullable: true,
      derive: addedByService,
    }),
    next_clock_change: field(clockChange, {
      personal: null,
      about: 'When the clocks change next. Null if they do not in the years to come.',
      example: { at: '2027-03-28T01:00:00Z', offset_before: 3600, offset_after: 7200 },
      nullable: true,
      derive: addedByService,
    }),
    calendar_ids: field(list(reference('calendar'), { max: 10, unique: true }), {
      about: 'Calendars that it observes: their days are special here. A deleted one counts for nothing.',
      example: [],
      create: 'optional',
      edit: true,
      initial: [],
      engine: true,
    }),
    fire: field(siteFire, {
      personal: null,
      about:
        'The contact of the fire alarm. While it holds, doors with electric egress and those in `release_gadget_ids` are held open. It adds to the wired release, and never replaces it.',
      example: null,
      edit: true,
      nullable: true,
      engine: true,
      shown: shownFire,
    }),
    alarm_runbook: field(text(4000, { min: 0 }), {
      personal: 'free',
      about: 'What to do in an alarm, for users. Shown with the alarms of the site, and never to members.',
      example: 'Call the guard on duty. The key of the back door is in the safe.',
      create: 'optional',
      edit: true,
      nullable: true,
    }),
    maintenance_until: maintenanceField('site'),
    pins_alarmed_until: field(timestamp, {
      about: 'While someone is guessing PINs across the site.',
      hidden: true,
      nullable: true,
      slice: {
        part: optional(
          timestamp,
          'Until then, each wrong PIN at a keypad of the site pauses that keypad, because someone is guessing PINs across the site.',
        ),
      },
    }),
    floor_plan_hash: field(text(64), {
      personal: null,
      about:
        'Changes with the floor plan, which `GET /sites/{id}/floor_plan` returns. Null if there is none.',
      example: null,
      nullable: true,
    }),
    tag_ids: tagIds('site'),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
