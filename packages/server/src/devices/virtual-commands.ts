import { randomBytes } from 'node:crypto'
import { deviceLimits } from '@gatehouse/api'
import { addSeconds } from '@gatehouse/core'
import { serviceCaller } from '../caller.ts'
import type { Database } from '../store/db.ts'
import { logUse } from '../store/write.ts'
import type { Command, CommandBus, Outcome } from './commands.ts'
import { type VirtualContext, VirtualDevice } from './virtual-device.ts'
import { faultAt, isReachable, type VirtualState } from './virtual-state.ts'

/** Commands to virtual devices. One that nothing was done to has nothing to fail with, and is not even started. */
export function virtualCommandBus(context: Omit<VirtualContext, 'commands'>): CommandBus {
  return {
    async run(command) {
      const { organization_id, device_id } = command
      const [state] = await context.db.query<
        Pick<VirtualState, 'is_online' | 'fault' | 'fault_until'> & object
      >(
        'SELECT is_online, fault, fault_until FROM virtual_devices WHERE organization_id = $1 AND device_id = $2',
        [organization_id, device_id],
      )
      const now = context.clock.now()
      if (state && !isReachable(state, now)) return 'offline'
      if (state && faultAt(state, now) !== null) return runOnMachine(context, command)
      await logDone(context.db, command, now)
      return 'done'
    },
  }
}

function runOnMachine(context: Omit<VirtualContext, 'commands'>, command: Command): Promise<Outcome> {
  return context.db.transaction(async db => {
    const nowhere: CommandBus = { run: async () => 'refused' }
    const device = await VirtualDevice.hold({ ...context, commands: nowhere }, db, command)
    let outcome = 'refused' as Outcome
    await device.run([], async machine => {
      const { gadget_id, action_id } = command
      const deadline = addSeconds(context.clock.now(), deviceLimits.command)
      const id = `cmd_${randomBytes(12).toString('base64url')}`
      outcome = (await machine.commands.run({ id, gadget_id, action_id, deadline })).outcome
    })
    await device.save()
    if (outcome === 'done') await logDone(db, command, context.clock.now())
    return outcome
  })
}

async function logDone(db: Database, { organization_id, event }: Command, now: string): Promise<void> {
  if (event) await logUse({ db, caller: serviceCaller(organization_id), now }, event.subject, event.object)
}
