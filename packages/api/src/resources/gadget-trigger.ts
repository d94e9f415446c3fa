import { triggerAlarmTypes } from '@gatehouse-access/core'
import { one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, localId, reference } from '../kit/scalars.ts'

const source = { create: 'optional', edit: true, nullable: true, slice: true } as const

export const gadgetTrigger = resource({
  kind: 'gadget_trigger',
  plural: 'gadget_triggers',
  path: '/gadget_triggers',
  about:
    'Runs an action of a target gadget when a source gadget changes its state, sends a signal or has an alarm, or when a schedule starts or ends.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  expands: {
    site: one('site'),
    source_gadget: one('gadget', 'source_gadget_id'),
    source_schedule: one('schedule', 'source_schedule_id'),
    target_gadget: one('gadget', 'target_gadget_id'),
  },
  policy: { rows: 'triggers' },
  fields: {
    ...identity('gadget_trigger'),
    site_id: field(reference('site'), { about: 'The site of both gadgets.', slice: true }),
    source_type: field(choice('state', 'signal', 'schedule', 'alarm'), {
      about: 'What triggers it.',
      create: 'required',
      edit: true,
      slice: true,
    }),
    source_gadget_id: field(reference('gadget'), {
      about: 'The source gadget. Absent for a schedule.',
      ...source,
    }),
    source_state_id: field(localId, {
      personal: null,
      about: 'The state of the source that triggers it.',
      ...source,
    }),
    source_signal_id: field(localId, {
      personal: null,
      about: 'The signal of the source that triggers it.',
      ...source,
    }),
    source_schedule_id: field(reference('schedule'), { about: 'The schedule that triggers it.', ...source }),
    source_schedule_event: field(choice('enter', 'exit'), {
      about: 'Whether it is triggered when a time range of the schedule starts or ends.',
      ...source,
    }),
    source_alarm_type: field(choice(...triggerAlarmTypes), {
      about: 'The alarm of the source that triggers it. The source is a door with a contact.',
      ...source,
    }),
    source_alarm_event: field(choice('begin', 'end'), {
      about: 'Whether it is triggered when the alarm begins or ends.',
      ...source,
    }),
    target_gadget_id: field(reference('gadget'), {
      about: 'The gadget whose action is run.',
      create: 'required',
      edit: true,
      slice: true,
    }),
    target_action_id: field(localId, {
      personal: null,
      about: 'The action.',
      example: 'open',
      create: 'required',
      edit: true,
      slice: true,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
