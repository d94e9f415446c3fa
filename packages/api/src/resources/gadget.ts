import { list, optional, required, shape } from '../kit/compounds.ts'
import { all, one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { flag, localId, reference, text, timestamp } from '../kit/scalars.ts'
import { accessQuery } from './access.ts'
import { planPosition } from './floor-plan.ts'
import { door, slicedDoor } from './gadget-door.ts'
import { doorMode, modesOfGadget, setMode } from './gadget-mode.ts'
import { history } from './history.ts'
import { location } from './site.ts'
import { tagIds } from './tag.ts'
import { uses } from './uses.ts'

function named(what: string) {
  return list(
    shape({ id: required(localId, `ID of the ${what}.`), name: required(text(255), 'Display name.') }),
    { max: 64 },
  )
}

const bare = list(shape({ id: required(localId, 'Its id.') }), { max: 64 })

/** Names are never sent to devices. */
function withoutNames(about: string) {
  return {
    part: required(bare, about),
    make: (entries: readonly { id: string }[]) => entries.map(({ id }) => ({ id })),
  }
}

/** The mode is computed from the policy when the service answers. */
const addedByService = () => null

export const gadget = resource({
  kind: 'gadget',
  plural: 'gadgets',
  path: '/gadgets',
  about: 'Something that a device controls, such as a door, light, blind or locker.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  expands: { site: one('site'), device: one('device'), tags: all('tag') },
  filters: {
    is_online: {
      type: flag,
      about: 'Whether its device is connected.',
      operator: 'equal',
      computed: true,
    },
    is_open: {
      type: flag,
      about: 'Whether it is a door that stands open, as far as its device has said.',
      operator: 'equal',
      computed: true,
    },
  },
  policy: { rows: 'gadgets' },
  actions: {
    history,
    uses,
    run_action: {
      method: 'POST',
      does: 'command',
      path: '/actions/{action_id}',
      params: { action_id: localId },
      about:
        'Runs an action of the gadget. Your application does its own permission checks. Requires the whitelabel feature. Returns 403 with reason `lockdown` while the door is locked down, except for actions that let people out or lock it.',
      scope: 'write',
      body: {
        override_emergency: optional(
          flag,
          'True to run it although the door is locked down. The event says so.',
        ),
      },
      answer: shape({}),
    },
    execute_as_member: {
      method: 'POST',
      does: 'command',
      path: '/actions/{action_id}/execute_as_member',
      params: { action_id: localId },
      about: "Runs an action online on behalf of a member, within that member's permissions.",
      scope: 'write',
      body: {
        member_id: required(reference('member'), 'The member who acts.'),
        location: optional(location, "Location of the member's phone."),
      },
      answer: shape({}),
    },
    access: {
      method: 'GET',
      does: 'query',
      path: '/access',
      about: 'Lists the members who can use an action of the gadget, ordered by ID.',
      scope: 'read',
      query: {
        action_id: { type: localId, about: 'The action. Defaults to the first one.' },
        ...accessQuery,
      },
      answer: { page_of: 'member_access' },
    },
    mode: setMode,
    modes: modesOfGadget,
  },
  fields: {
    ...identity('gadget'),
    site_id: field(reference('site'), { about: 'The site of its device.', engine: true, slice: true }),
    device_id: field(reference('device'), {
      about: 'The device that controls it.',
      create: 'required',
      engine: true,
      slice: true,
    }),
    name: nameField({ create: 'required', example: 'Front door' }),
    actions: field(named('action'), {
      personal: 'free',
      about: 'What it can do.',
      example: [
        { id: 'open', name: 'Open' },
        { id: 'hold', name: 'Keep unlocked' },
        { id: 'secure', name: 'Lock' },
      ],
      create: 'optional',
      edit: true,
      initial: [{ id: 'open', name: 'Open' }],
      engine: true,
      slice: withoutNames('In order. The first is the default.'),
    }),
    states: field(named('state'), {
      personal: 'free',
      about: 'States it can be in.',
      example: [{ id: 'closed', name: 'Closed' }],
      create: 'optional',
      edit: true,
      initial: [],
      slice: withoutNames('States it can report.'),
    }),
    signals: field(named('signal'), {
      personal: 'free',
      about: 'Signals it can send.',
      example: [{ id: 'bell', name: 'Bell' }],
      create: 'optional',
      edit: true,
      initial: [],
      slice: withoutNames('Signals it can report.'),
    }),
    door: field(door, {
      personal: null,
      about:
        'If it is a door: what its actions, states and signals mean. Each ID is one of its own. Replaced as a whole.',
      example: { release_action_id: 'open', hold_action_id: 'hold', secure_action_id: 'secure' },
      create: 'optional',
      edit: true,
      nullable: true,
      engine: true,
      slice: slicedDoor,
    }),
    mode: field(doorMode, {
      personal: null,
      about:
        'If it is a door: its mode now, what set it, and whether its device has reported that it is so. Null for other gadgets.',
      example: null,
      nullable: true,
      derive: addedByService,
    }),
    state_id: field(localId, {
      personal: null,
      about: 'ID of the current state.',
      example: 'closed',
      nullable: true,
    }),
    last_action_at: field(timestamp, { about: 'When one of its actions was last run.', nullable: true }),
    plan_position: field(planPosition, {
      personal: null,
      about: 'Where it is on the floor plan of its site. Null: it is not placed.',
      example: { x: 0.25, y: 0.6 },
      create: 'optional',
      edit: true,
      nullable: true,
    }),
    tag_ids: tagIds('gadget', { engine: true }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
