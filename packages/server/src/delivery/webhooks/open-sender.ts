import type { Timers } from '../../flow/timers.ts'
import { Connections } from '../../outbound/connections.ts'
import { openDialer, type Resolve } from '../../outbound/dialer.ts'
import { openTargets, type TargetOptions } from '../../outbound/targets.ts'
import { openDeadlines, type Sender, timeout } from './send.ts'

export interface SenderOptions {
  readonly targets: TargetOptions
  readonly resolve: Resolve
}

export function openSender(options: SenderOptions, timers: Timers): Sender {
  const targets = openTargets(options.targets)
  const connections = new Connections(openDialer(targets, options.resolve, timeout), timers)
  return { connections, targets, deadlines: openDeadlines(timers) }
}
