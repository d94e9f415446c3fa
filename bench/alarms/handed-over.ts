import { setTimeout as sleep } from 'node:timers/promises'
import { openSmtp } from '../../test/telling/smtp.ts'
import { percentile } from '../delivery/events.ts'
import { post } from '../devices/main.ts'
import { judge, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { createTenant, type Tenant } from '../tenant.ts'
import { openReceiver } from './told.ts'
import { gate, grace } from './watched-doors.ts'

const rounds = 10
const address = 'guards@bench.example'

/** Measures the time from the contact of a virtual door until its message is handed to SMTP, and published. */
export async function measureHandedOver(): Promise<void> {
  await using smtp = await openSmtp()
  await using ntfy = await openReceiver()
  await using service = await startService({ GATEHOUSE_SMTP_URL: smtp.url })
  const mails: number[] = []
  const published: number[] = []
  for (let round = 0; round < rounds; round++) {
    // A recipient gets 14 messages an hour as they come, so each round has an organization of its own.
    const tenant = await createTenant(service.db, 'Doors')
    const doors = await addDoors(service, tenant, 2)
    await addGuards(service, tenant, smtp, ntfy.url)
    for (const { gadget_id, device_id, name } of doors) {
      smtp.received.length = 0
      ntfy.told.length = 0
      const opened = performance.now()
      await post(service, { tenant }, `/devices/${device_id}/simulate`, {
        state: { gadget_id, state_id: 'open' },
      })
      const times = { mail: 0, ntfy: 0 }
      const end = performance.now() + 30_000
      while ((times.mail === 0 || times.ntfy === 0) && performance.now() < end) {
        if (smtp.received.some(({ subject }) => subject?.includes(name))) times.mail ||= performance.now()
        const found = ntfy.told.find(({ body }) => JSON.stringify(body).includes(name))
        if (found) times.ntfy ||= found.at
        await sleep(5)
      }
      mails.push(times.mail - opened - grace)
      published.push(times.ntfy - opened - grace)
    }
  }
  const lines = (what: string, times: readonly number[]) => [
    [`${what}: median, ms`, percentile(times, 0.5).toFixed(0), '', ''],
    [`${what}: p95, ms`, ...judge(percentile(times, 0.95), 2000, 'at most', 0)],
    [`${what}: slowest, ms`, Math.max(...times).toFixed(0), '', ''],
  ]
  printTable(
    `Contact of a virtual door to its message, beyond the 2 s grace, ${mails.length} doors`,
    ['', 'figure', 'bound', 'holds'],
    [...lines('handed to SMTP', mails), ...lines('published to ntfy', published)],
  )
}

async function addDoors(service: Service, tenant: Tenant, count: number) {
  const site = await post(service, { tenant }, '/sites', { name: 'Site', timezone: 'Europe/Madrid' })
  const doors: { gadget_id: string; device_id: string; name: string }[] = []
  for (let number = 0; number < count; number++) {
    const name = `Door number ${number}`
    const device_id = await post(service, { tenant }, '/devices', {
      ...{ name: 'Box', site_id: site, product_id: 'controller' },
    })
    doors.push({
      gadget_id: await post(service, { tenant }, '/gadgets', { name, device_id, ...gate }),
      device_id,
      name,
    })
  }
  return doors
}

async function addGuards(
  service: Service,
  tenant: Tenant,
  smtp: Awaited<ReturnType<typeof openSmtp>>,
  url: string,
): Promise<void> {
  const target = (body: object) => post(service, { tenant }, '/notification_targets', body)
  const mail = await target({
    kind: 'email',
    address: `${tenant.organization_id.replace('_', '-')}.${address}`,
  })
  smtp.received.length = 0
  await post(service, { tenant }, `/notification_targets/${mail}/send_code`, {})
  while (smtp.received.length === 0) await sleep(5)
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(smtp.received[0]?.text ?? '')?.[0] ?? ''
  await post(service, { tenant }, `/notification_targets/${mail}/verify`, { code })
  const topic = await target({ kind: 'ntfy', url, topic: 'doors' })
  const notify = [{ notification_target_id: mail }, { notification_target_id: topic }]
  await post(service, { tenant }, '/alarm_rules', { name: 'Forced', types: ['door_forced'], notify })
}
