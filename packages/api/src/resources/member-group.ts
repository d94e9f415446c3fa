import { list, nullable, optional, required, type Shape, shape, whole } from '../kit/compounds.ts'
import { all, oneInside } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, flag, integer, localId, reference } from '../kit/scalars.ts'
import { history } from './history.ts'
import { tagIds } from './tag.ts'
import { uses } from './uses.ts'

const noMethods = { online: false, bluetooth: false, mobile_nfc: false, pin: false, card: false }
const methods = whole(
  shape({
    online: optional(flag, 'Over the internet.'),
    bluetooth: optional(flag, 'Bluetooth.'),
    mobile_nfc: optional(flag, 'Phone NFC.'),
    pin: optional(flag, 'PIN on a keypad.'),
    card: optional(flag, 'NFC card.'),
  }),
  noMethods,
)

const ruleParts = {
  site_id: nullable(
    reference('site'),
    'Only gadgets of this site. Cannot be combined with gadget_id or tag_id.',
  ),
  gadget_id: nullable(reference('gadget'), 'Only this gadget.'),
  tag_id: nullable(
    reference('tag'),
    'Only gadgets that have this tag, as long as they have it. Cannot be combined with gadget_id or site_id.',
  ),
  action_id: nullable(localId, 'Only this action. Requires gadget_id.'),
  schedule_id: nullable(reference('schedule'), 'Only within this schedule.'),
  presence: nullable(choice('none', 'gps'), '`gps` if the phone must be near the site for online actions.'),
  access_methods: nullable(
    methods,
    'Allowed access methods. A method left out is false. Defaults to all methods.',
  ),
  member_group_id: nullable(
    reference('member_group'),
    "Also grants that group's access, within the limits of this rule.",
  ),
}
export type PermissionRule = Shape<typeof ruleParts>

const numberedRule = shape({
  ...ruleParts,
  rule_index: required(
    integer(0, 10_000),
    'Its index among all rules of the group, as used in explanations.',
  ),
})

/** Rules are stored with only the methods that were given, and returned with all methods. */
function showMethods(rules: readonly PermissionRule[]): readonly PermissionRule[] {
  return rules.map(rule =>
    rule.access_methods ? { ...rule, access_methods: { ...noMethods, ...rule.access_methods } } : rule,
  )
}

export const memberGroup = resource({
  kind: 'member_group',
  plural: 'member_groups',
  path: '/member_groups',
  about: 'Holds the permission rules of its members. Access is granted if at least one rule matches.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  policy: { rows: 'groups' },
  actions: { history, uses },
  expands: {
    tags: all('tag'),
    'permissions.site': oneInside('permissions', 'site'),
    'permissions.gadget': oneInside('permissions', 'gadget'),
    'permissions.tag': oneInside('permissions', 'tag'),
    'permissions.schedule': oneInside('permissions', 'schedule'),
    'permissions.member_group': oneInside('permissions', 'member_group'),
  },
  fields: {
    ...identity('member_group'),
    name: nameField({ create: 'required', example: 'Cleaning' }),
    permissions: field(list(shape(ruleParts), { max: 500 }), {
      personal: null,
      about: 'Permission rules. An empty rule `{}` matches all gadgets at all sites.',
      example: [{ presence: 'none' }],
      create: 'optional',
      edit: true,
      initial: [],
      render: showMethods,
      engine: true,
      slice: {
        part: required(
          list(numberedRule, { max: 10_000 }),
          'Those of its rules that can apply to a gadget here.',
        ),
      },
    }),
    tag_ids: tagIds('member_group'),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
