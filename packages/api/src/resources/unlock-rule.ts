import { list, required, shape } from '../kit/compounds.ts'
import { all, one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, flag, integer, localId, reference, timestamp } from '../kit/scalars.ts'

const firstPerson = shape({
  member_group_ids: required(
    list(reference('member_group'), { min: 1, max: 100, unique: true }),
    'Groups of which somebody has to come.',
  ),
  early_seconds: required(
    integer(0, 14_400),
    'How long before the start of a period somebody may come. The door is unlocked at its start.',
  ),
  before: required(
    choice('controlled', 'closed'),
    'What the door is until then: `controlled`, as always, or `closed` for everybody who is in none of the groups.',
  ),
})

/** A signal of a gadget, such as a button. */
export const gadgetSignal = shape({
  gadget_id: required(reference('gadget'), 'The gadget.'),
  signal_id: required(localId, 'One of its signals.'),
})

const remembered = list(timestamp, { max: 1000 })

export const unlockRule = resource({
  kind: 'unlock_rule',
  plural: 'unlock_rules',
  path: '/unlock_rules',
  about:
    'Keeps doors unlocked while a schedule is open: by the clock, or from when the first person of some groups has come.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  expands: { site: one('site'), schedule: one('schedule'), gadgets: all('gadget') },
  policy: { rows: 'unlock_rules' },
  fields: {
    ...identity('unlock_rule'),
    name: nameField({ create: 'required', example: 'Lobby in office hours' }),
    site_id: field(reference('site'), { about: 'The site of its doors.', create: 'required' }),
    gadget_ids: field(list(reference('gadget'), { min: 1, max: 500, unique: true }), {
      about: 'Doors of the site. Each must have a `hold_action_id`, so that it can be held open.',
      create: 'required',
      edit: true,
      engine: true,
    }),
    schedule_id: field(reference('schedule'), {
      about: 'When the doors are unlocked. Special days and exceptions count.',
      create: 'required',
      edit: true,
      engine: true,
    }),
    first_person: field(firstPerson, {
      personal: null,
      about:
        'Who has to come before each period: by PIN, card, Bluetooth or phone NFC at one of the doors. Null: unlocked by the clock.',
      example: null,
      create: 'optional',
      edit: true,
      nullable: true,
      engine: true,
    }),
    last_person_signal: field(gadgetSignal, {
      personal: null,
      about: 'A signal that ends the present period early, when the last person leaves.',
      example: null,
      create: 'optional',
      edit: true,
      nullable: true,
      engine: true,
    }),
    is_enabled: field(flag, {
      about: 'If false, it does nothing.',
      create: 'optional',
      edit: true,
      initial: true,
      engine: true,
    }),
    arrivals: field(remembered, {
      personal: 'movement',
      about: 'When a first person came, as far as it still matters.',
      hidden: true,
      initial: [],
      engine: true,
    }),
    departures: field(remembered, {
      personal: 'movement',
      about: 'When the last person left, as far as it still matters.',
      hidden: true,
      initial: [],
      engine: true,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
