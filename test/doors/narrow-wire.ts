import { EventEmitter } from 'node:events'
import type { World } from '@gatehouse-access/testkit'
import type { WebSocket } from 'ws'
import { authenticateDevice } from '../../packages/server/src/devices/authenticate.ts'
import { type DeviceOptions, ScriptedDevice } from '../devices/scripted-device.ts'

/** Connects a device over a wire on which the parts of snapshots wait until the test lets them pass. */
export async function connectNarrowly(w: World, options: DeviceOptions, before?: ScriptedDevice) {
  const { db, devices } = w.server.context
  const { hardware_id, secret, capabilities } = options
  const identity = await authenticateDevice(db, hardware_id, secret)
  if (!identity) throw new Error('the secret is wrong')
  const socket = new EventEmitter()
  const gate = Promise.withResolvers<void>()
  const arrive = (frame: string) => void socket.emit('message', frame)
  const link = {
    send: arrive,
    async sendAndWait(frame: string) {
      if (frame.startsWith('{"type":"snapshot_part"')) await gate.promise
      arrive(frame)
      return true
    },
    pause: () => {},
    resume: () => {},
    close: (code: number, reason: string) => void socket.emit('close', code, reason),
  }
  const connection = devices.accept(link, identity, hardware_id)
  const end = {
    send: (text: string) => connection.receive(text),
    close() {
      void connection.closed()
      link.close(1000, '')
    },
  }
  const device = new ScriptedDevice(Object.assign(socket, end) as unknown as WebSocket)
  if (before) Object.assign(device, { slice: before.slice, key: before.key, policy: before.policy })
  device.hello(capabilities && { capabilities })
  await device.next('welcome')
  return { device, widen: gate.resolve }
}
