import type { Client } from '@gatehouse-access/sdk'
import { t } from '../language/t.ts'
import { plansText, rulesText } from '../parts/some-names.ts'
import { inputLossesOf } from './input-losses.ts'
import { lossesOf } from './losses.ts'
import { findFireOf, findPlansOf, findRulesOf } from './uses-of-doors.ts'

export interface Tree {
  readonly plural: 'sites' | 'devices'
  readonly id: string
  /** Of a device. */
  readonly site_id?: string | undefined
}

/** Says who loses access without a site or a device, and what else its doors no longer do. Installers see devices only. */
export async function treeLossesOf(
  client: Client,
  tree: Tree,
  inside: readonly { readonly id: string }[],
  sees_all: boolean,
): Promise<readonly string[]> {
  const { plural, id } = tree
  // The door of a lock that is one goes with it, though it is not told as being inside.
  const doors = plural === 'devices' ? await Array.fromAsync(client.gadgets.all({ device_id: id })) : []
  const ids = new Set([id, ...[...inside, ...doors].map(child => child.id)])
  const found = await Promise.all([
    client[plural].uses(id).then(lossesOf),
    ...(sees_all ? [ruleLossesOf(client, tree, ids), planLossesOf(client, ids)] : []),
    fireLossesOf(client, tree, ids),
    inputLossesOf(client, plural, id),
  ])
  return found.flat()
}

/** The rules of a site are deleted with it. */
async function ruleLossesOf(
  client: Client,
  { site_id }: Tree,
  ids: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (!site_id) return []
  const { unlocking, ending } = await findRulesOf(client, site_id, ids)
  return [
    ...(unlocking.length > 0 ? [t(`Its doors will no longer be unlocked by ${rulesText(unlocking)}.`)] : []),
    ...(ending.length > 0 ? [t(`It will no longer end ${rulesText(ending)} with the last person.`)] : []),
  ]
}

/** The fire alarm of a site is deleted with it. */
async function fireLossesOf(
  client: Client,
  { site_id }: Tree,
  ids: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (!site_id) return []
  const { name, is_source, releases } = await findFireOf(client, site_id, ids)
  return [
    ...(is_source ? [t(`The fire alarm of ${name} will no longer be noticed.`)] : []),
    ...(releases ? [t(`The fire alarm of ${name} will no longer hold its doors open.`)] : []),
  ]
}

async function planLossesOf(client: Client, ids: ReadonlySet<string>): Promise<readonly string[]> {
  const { concerning, starting } = await findPlansOf(client, ids)
  return [
    ...(concerning.length > 0 ? [t(`Its doors will no longer be part of ${plansText(concerning)}.`)] : []),
    ...(starting.length > 0 ? [t(`Its doors will no longer start ${plansText(starting)}.`)] : []),
  ]
}
