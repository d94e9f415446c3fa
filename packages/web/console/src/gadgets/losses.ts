import type { Client } from '@gatehouse-access/sdk'
import { lossesOf, stops } from '../access/losses.ts'
import { findFireOf, findPlansOf, findRulesOf } from '../access/uses-of-doors.ts'
import { t } from '../language/t.ts'
import type { Door } from '../overview/door.ts'
import { namesOf, plansText, rulesText, someNames } from '../parts/some-names.ts'

type Of = Pick<Door, 'id' | 'site_id'>

/** Says who loses access without a door, and what else no longer works. Installers see no rules and no plans. */
export async function doorLossesOf(client: Client, door: Of, sees_all: boolean): Promise<readonly string[]> {
  const found = await Promise.all([
    accessLossesOf(client, door),
    ...(sees_all ? [ruleLossesOf(client, door), planLossesOf(client, door)] : []),
    triggerLossesOf(client, door),
    fireLossesOf(client, door),
    inputLossesOf(client, door),
  ])
  return found.flat()
}

async function accessLossesOf(client: Client, { id }: Of): Promise<readonly string[]> {
  return lossesOf(await client.gadgets.uses(id))
}

async function ruleLossesOf(client: Client, { id, site_id }: Of): Promise<readonly string[]> {
  const { unlocking, ending } = await findRulesOf(client, site_id, new Set([id]))
  return [
    ...(unlocking.length > 0 ? [t(`It will no longer be unlocked by ${rulesText(unlocking)}.`)] : []),
    ...(ending.length > 0 ? [t(`It will no longer end ${rulesText(ending)} with the last person.`)] : []),
  ]
}

async function planLossesOf(client: Client, { id }: Of): Promise<readonly string[]> {
  const { concerning, starting } = await findPlansOf(client, new Set([id]))
  return [
    ...(concerning.length > 0 ? [t(`It will no longer be part of ${plansText(concerning)}.`)] : []),
    ...(starting.length > 0 ? [t(`It will no longer start ${plansText(starting)}.`)] : []),
  ]
}

async function triggerLossesOf(client: Client, { id }: Of): Promise<readonly string[]> {
  const countOf = async (ends: { source_gadget_id?: string; target_gadget_id?: string }) =>
    (await client.gadget_triggers.list({ ...ends, limit: 1, with_count: true })).count ?? 0
  const [from, to, both] = await Promise.all([
    countOf({ source_gadget_id: id }),
    countOf({ target_gadget_id: id }),
    countOf({ source_gadget_id: id, target_gadget_id: id }),
  ])
  return stops(from + to - both, [t('trigger'), t('triggers')])
}

async function fireLossesOf(client: Client, { id, site_id }: Of): Promise<readonly string[]> {
  const { name, is_source, releases } = await findFireOf(client, site_id, new Set([id]))
  return [
    ...(is_source ? [t(`The fire alarm of ${name} will no longer be noticed.`)] : []),
    ...(releases ? [t(`The fire alarm of ${name} will no longer hold it open.`)] : []),
  ]
}

async function inputLossesOf(client: Client, { id, site_id }: Of): Promise<readonly string[]> {
  const devices = await Array.fromAsync(client.devices.all({ site_id }))
  const reading = namesOf(
    devices.filter(({ input_rules }) => input_rules.some(({ gadget_id }) => gadget_id === id)),
  )
  return reading.length > 0 ? [t(`It can no longer be opened by PIN or card at ${someNames(reading)}.`)] : []
}
