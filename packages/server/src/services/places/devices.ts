import {
  capabilitiesOf,
  catalogue,
  doorTemplates,
  invalid,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { findInputRuleProblem } from '@gatehouse-access/core'
import { deleteObjects, updateObject } from '../../store/write.ts'
import { languageOf, voiceOf } from '../../texts/language.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { insertNew } from '../objects/new-object.ts'
import { settleSuspension } from '../objects/suspension.ts'
import { checkActions } from './actions-in-use.ts'
import { checkMovedDoors } from './door-uses.ts'
import { initialState } from './gadgets.ts'
import { checkLocalPaths } from './local-path.ts'

type Device = StoredOf<Resources['device']>
/** The mode is no column: the service tells it when it answers. */
type GadgetRow = Omit<StoredOf<Resources['gadget']>, 'mode'> & { readonly search_text: string }

const virtualStatus = {
  online: true,
  mains_present: true,
  battery_present: false,
  battery_charging: false,
  battery_percent: 0,
  missing_capabilities: [],
}

export const deviceBehaviour = behaviour('device', {
  settle(after, before, now) {
    if (!before && !catalogue.some(({ id }) => id === after.product_id))
      throw invalid('product_id', `product_id: there is no product '${after.product_id}'; see GET /products`)
    checkInputRules(after)
    const suspension = settleSuspension(after, before, now)
    return !before && after.hardware_id === null ? { ...suspension, status: virtualStatus } : suspension
  },
  async afterCreate(work, device) {
    if (capabilitiesOf(device.product_id).gadgets === 'single') await createOnlyGadget(work, device)
    return {}
  },
  async beforeEdit(work, _before, changes) {
    const rules = changes.input_rules ?? []
    await checkActions(
      work,
      rules.map((rule, index) => ({ ...rule, field: `input_rules.${index}.action_id` })),
    )
    return {}
  },
  async afterEdit(work, before, after) {
    if (before.site_id !== after.site_id) await moveGadgets(work, after)
  },
  /** The gadget of a single-gadget device is deleted and restored with the device. */
  async beforeDelete(work, device) {
    if (capabilitiesOf(device.product_id).gadgets === 'single')
      await deleteObjects(work, resources.gadget, 'device_id', [device.id])
    return {}
  },
  async beforeRestore(work, device) {
    if (capabilitiesOf(device.product_id).gadgets === 'single') await restoreOnlyGadget(work, device)
    return {}
  },
})

function checkInputRules(device: Pick<Device, 'input_rules' | 'product_id'>): void {
  const rules = device.input_rules
  if (rules.length > 0 && !capabilitiesOf(device.product_id).input_rules)
    throw invalid('input_rules', `input_rules must be empty: a ${device.product_id} does not support them`)
  const problem = findInputRuleProblem(rules)
  if (problem) throw invalid(problem.field, problem.message)
}

/** Names its parts in the language of whoever adds the device: they are texts of the organization from then on. */
async function createOnlyGadget(work: Work, device: Device): Promise<void> {
  const { say } = voiceOf(languageOf(work.caller.language))
  const states = [
    { id: 'closed', name: say('door_state_closed') },
    { id: 'open', name: say('door_state_open') },
  ]
  await insertNew(work, resources.gadget, {
    name: device.name,
    device_id: device.id,
    site_id: device.site_id,
    actions: [{ id: 'open', name: say('door_action_open') }],
    states,
    state_id: initialState(device, states),
    door: isDoorLock(device.product_id) ? doorTemplates.plain.door : null,
  })
}

/** A padlock is the one product with a single gadget that hangs on anything but a door. */
function isDoorLock(productId: string): boolean {
  return productId !== 'padlock'
}

async function restoreOnlyGadget(work: Work, device: Device): Promise<void> {
  const [gadget] = await work.db.query<GadgetRow>(
    'SELECT * FROM gadgets WHERE organization_id = $1 AND device_id = $2 ORDER BY created_at DESC LIMIT 1 FOR UPDATE',
    [work.caller.organization_id, device.id],
  )
  if (gadget?.is_deleted)
    await updateObject(work, resources.gadget, { ...gadget, mode: null }, { is_deleted: false })
}

async function moveGadgets(work: Work, device: Device): Promise<void> {
  const gadgets = await work.db.query<GadgetRow>(
    'SELECT * FROM gadgets WHERE organization_id = $1 AND device_id = $2 AND NOT is_deleted ORDER BY id FOR UPDATE',
    [work.caller.organization_id, device.id],
  )
  for (const gadget of gadgets)
    await updateObject(work, resources.gadget, { ...gadget, mode: null }, { site_id: device.site_id })
  const ids = gadgets.map(gadget => gadget.id)
  await checkLocalPaths(work, ids)
  await checkMovedDoors(work, device.site_id, ids)
}
