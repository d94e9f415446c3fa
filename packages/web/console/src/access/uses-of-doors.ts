import type { Client } from '@gatehouse-access/sdk'
import { namesOf } from '../parts/some-names.ts'

type Ids = ReadonlySet<string>

/** The names of the plans that name one of these doors or sites, and of those that are started there. */
export async function findPlansOf(client: Client, ids: Ids) {
  const plans = await Array.fromAsync(client.emergency_plans.all())
  return {
    concerning: namesOf(
      plans.filter(({ targets, unlocked_gadget_ids }) =>
        [targets.site_ids, targets.gadget_ids, unlocked_gadget_ids].some(named =>
          named?.some(id => ids.has(id)),
        ),
      ),
    ),
    starting: namesOf(
      plans.filter(({ trigger, control_gadget_id }) =>
        [trigger?.gadget_id, control_gadget_id].some(id => id && ids.has(id)),
      ),
    ),
  }
}

/** Whether the fire alarm of a site begins at one of these doors, and whether it holds one of them open. */
export async function findFireOf(client: Client, site_id: string, ids: Ids) {
  const { name, fire } = await client.sites.get(site_id)
  return {
    name,
    is_source: fire?.source_gadget_id != null && ids.has(fire.source_gadget_id),
    releases: fire?.release_gadget_ids?.some(id => ids.has(id)) ?? false,
  }
}

/** The names of the rules of a site that unlock one of these doors, and of those that end there. Without those that are off. */
export async function findRulesOf(client: Client, site_id: string, ids: Ids) {
  const rules = (await Array.fromAsync(client.unlock_rules.all({ site_id }))).filter(rule => rule.is_enabled)
  return {
    unlocking: namesOf(rules.filter(({ gadget_ids }) => gadget_ids.some(id => ids.has(id)))),
    ending: namesOf(
      rules.filter(({ last_person_signal }) => last_person_signal && ids.has(last_person_signal.gadget_id)),
    ),
  }
}
