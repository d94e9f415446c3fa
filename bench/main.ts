import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { compareAccess } from './access/main.ts'
import { measurePreview } from './access/preview.ts'
import { measureHandedOver } from './alarms/handed-over.ts'
import { measureRate } from './alarms/rate.ts'
import { measureStorm } from './alarms/storm.ts'
import { measureBackup } from './backup.ts'
import { measureExports } from './bulk/exports.ts'
import { measureImports } from './bulk/imports.ts'
import { measureBulk } from './bulk/main.ts'
import { measureDelivery } from './delivery/main.ts'
import { measureCalendars } from './devices/calendars.ts'
import { measureDoorAlarms } from './devices/door-alarms.ts'
import { measureLargeSlice } from './devices/large-slice.ts'
import { measureLockdown } from './devices/lockdown.ts'
import { measureConnected, measurePolicy } from './devices/main.ts'
import { measureReconnect } from './devices/reconnect.ts'
import { measureUpload } from './devices/upload.ts'
import { measureEdge } from './edge/main.ts'
import { measurePanic } from './edge/panic.ts'
import { measureGuest } from './guest/main.ts'
import { compareOauth } from './oauth/main.ts'
import { measureOverload } from './overload/main.ts'
import { measureDataExport } from './privacy/data-export.ts'
import { measureErasure } from './privacy/erasure.ts'
import { measureRetention } from './privacy/retention.ts'
import { measureVerify } from './privacy/verify.ts'
import { compareRequests, reads, writes } from './requests/main.ts'
import { compareSizes } from './size/main.ts'
import { measureStart } from './start.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '2' },
    members: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '5000000' },
    deliveries: { type: 'string', default: '100000' },
    rows: { type: 'string', default: '100000' },
    exporting: { type: 'string', default: '100000' },
    expiring: { type: 'string', default: '1000000' },
    verifying: { type: 'string', default: '1000000' },
    gigabytes: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '10' },
  },
})
const seconds = Number(values.seconds)

const benches: Record<string, () => Promise<void>> = {
  reads: () => compareRequests(reads, seconds),
  writes: () => compareRequests(writes, seconds),
  bulk: () => measureBulk(seconds),
  imports: () => measureImports(Number(values.rows)),
  exports: () => measureExports(Number(values.members)),
  overload: () => measureOverload(3 * seconds),
  size: () => compareSizes({ members: Number(values.members), events: Number(values.events) }, seconds),
  access: () => compareAccess(seconds),
  preview: () => measurePreview(seconds),
  start: measureStart,
  delivery: () => measureDelivery(Number(values.deliveries)),
  oauth: () => compareOauth(seconds),
  'device-policy': () => measurePolicy(),
  'device-calendar': () => measureCalendars(),
  'device-memory': () => measureConnected(),
  lockdown: () => measureLockdown(),
  'door-alarms': () => measureDoorAlarms(),
  reconnect: () => measureReconnect(),
  'alarm-messages': () => measureHandedOver(),
  'alarm-storm': () => measureStorm(),
  'alarm-rate': () => measureRate(Number(values.minutes)),
  'device-upload': () => measureUpload(),
  'device-snapshot': () => measureLargeSlice(),
  edge: measureEdge,
  panic: measurePanic,
  guest: measureGuest,
  engine: runEngine,
  'data-export': () => measureDataExport(Number(values.exporting)),
  erasure: () => measureErasure(Number(values.exporting)),
  retention: () => measureRetention(Number(values.expiring)),
  verify: () => measureVerify(Number(values.verifying)),
  backup: () => measureBackup(Number(values.gigabytes), seconds),
}

// Runs in a separate process, because the memory figures need `--expose-gc`.
async function runEngine(): Promise<void> {
  const script = new URL('engine/main.ts', import.meta.url).pathname
  await once(spawn(process.execPath, ['--expose-gc', script], { stdio: 'inherit' }), 'exit')
}

const unknown = positionals.find(name => !(name in benches))
if (unknown) throw new Error(`there is no bench ${unknown}; there are ${Object.keys(benches).join(', ')}`)
for (const [name, run] of Object.entries(benches))
  if (positionals.length === 0 || positionals.includes(name)) await run()
