import type { Client } from '@gatehouse-access/sdk'
import { t } from '../language/t.ts'

interface Inputs {
  readonly name: string
  readonly input_rules: readonly {
    readonly gadget?: {
      readonly id: string
      readonly name: string
      readonly site_id: string
      readonly device_id: string
      readonly is_deleted: boolean
    } | null
  }[]
}

const query = { expand: ['input_rules.gadget'], limit: 100 }

/** Says which doors, of those that stay, keypads and readers of a device or a site open no longer. */
export async function inputLossesOf(
  client: Client,
  plural: 'sites' | 'devices',
  id: string,
): Promise<readonly string[]> {
  const devices: readonly Inputs[] =
    plural === 'devices'
      ? [await client.devices.get<Inputs>(id, { expand: query.expand })]
      : await Array.fromAsync(client.devices.all<Inputs>({ ...query, site_id: id }))
  const stays = { sites: 'site_id', devices: 'device_id' } as const
  return [
    ...new Set(
      devices.flatMap(({ name, input_rules }) =>
        input_rules.flatMap(({ gadget }) =>
          gadget && !gadget.is_deleted && gadget[stays[plural]] !== id
            ? [t(`${gadget.name} can no longer be opened by PIN or card at ${name}.`)]
            : [],
        ),
      ),
    ),
  ]
}
