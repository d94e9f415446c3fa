import { randomBytes } from 'node:crypto'
import { deviceLimits, type SliceRow } from '@gatehouse-access/api'
import { addSeconds, impliedState } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { serviceCaller } from '../../store/caller.ts'
import { logUse } from '../../store/write.ts'
import type { Command, CommandBus, Outcome } from '../commands/commands.ts'
import type { VirtualContext } from './context.ts'
import { VirtualDevice } from './device.ts'
import { movesDoor } from './doors.ts'
import { faultAt, isReachable, type VirtualState } from './state.ts'

type Found = Pick<VirtualState, 'fault' | 'fault_until'> & {
  /** Null if the device was never used. */
  readonly is_online: boolean | null
  readonly states: readonly { readonly id: string }[]
  readonly state_id: string | null
  readonly door: SliceRow<'gadgets'>['door'] | null
}

/** Runs commands on virtual devices. Skips starting a device without a fault whose state stays the same. */
export function virtualCommandBus(context: Omit<VirtualContext, 'commands'>): CommandBus {
  return {
    async run(command) {
      const { organization_id, gadget_id, action_id } = command
      const [found] = await context.db.query<Found & object>(
        `SELECT v.is_online, v.fault, v.fault_until, g.states, g.state_id, g.door FROM gadgets g
         LEFT JOIN virtual_devices v ON v.organization_id = g.organization_id AND v.device_id = g.device_id
         WHERE g.organization_id = $1 AND g.id = $2`,
        [organization_id, gadget_id],
      )
      const now = context.clock.now()
      if (!found) return 'refused'
      if (!isReachable({ ...found, is_online: found.is_online ?? true }, now)) return 'offline'
      const state = impliedState(found.states, action_id) ?? found.state_id
      const moves = state !== found.state_id || movesDoor(found.door, action_id)
      if (moves || faultAt(found, now) !== null) return runOnMachine(context, command)
      await logDone(context.db, command, now)
      return 'done'
    },
  }
}

function runOnMachine(context: Omit<VirtualContext, 'commands'>, command: Command): Promise<Outcome> {
  return context.db.transaction(async db => {
    const nowhere: CommandBus = { run: async () => 'refused' }
    const device = await VirtualDevice.hold({ ...context, commands: nowhere }, db, command)
    let outcome: Outcome = 'refused'
    await device.run([], async machine => {
      const { gadget_id, action_id } = command
      const deadline = addSeconds(context.clock.now(), deviceLimits.command)
      const id = `cmd_${randomBytes(12).toString('base64url')}`
      outcome = (await machine.commands.run({ id, gadget_id, action_id, deadline })).outcome
      if (outcome === 'done') await logDone(db, command, context.clock.now())
    })
    await device.save()
    return outcome
  })
}

async function logDone(db: Database, { organization_id, event }: Command, now: string): Promise<void> {
  if (event) await logUse({ db, caller: serviceCaller(organization_id), now }, event.subject, event.object)
}
