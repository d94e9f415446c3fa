import { doorTemplates } from '@gatehouse-access/api'
import { within, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from './gatehouse.ts'

test('doors are listed, unlocked for a while, and locked down by a plan', async () => {
  await using w = await world()
  const { client } = await w.tenant('Office')
  const site = await client.sites.create({ name: 'Berlin', timezone: 'Europe/Berlin' })
  const device = await client.devices.create({ name: 'Lobby', site_id: site.id, product_id: 'controller' })
  const door = structuredClone(doorTemplates.holdable)
  const gadget = await client.gadgets.create({ name: 'Front door', device_id: device.id, ...door })
  await client.emergency_plans.create({
    name: 'Shut',
    type: 'lockdown',
    targets: { site_ids: [site.id] },
  })
  const say = (...args: string[]) => gatehouse([...args, '--url', w.url], { DATABASE_URL: w.database_url })

  expect((await say('doors', '--site', 'berlin')).stdout).toMatch(/Front door\s+Berlin\s+controlled/)
  expect(await say('mode', 'front door', 'unlocked')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('indefinitely'),
  })
  const unlocked = await say('mode', 'front door', 'unlocked', '--for', '2h', '--reason', 'Moving in')
  expect(unlocked.stdout).toMatch(/^Front door is unlocked until .* \(override\)/)
  expect((await say('mode', gadget.id, 'open')).code).toBe(2)
  expect((await say('mode', gadget.id, 'unlocked', '--for', 'soon')).code).toBe(2)
  expect((await say('mode', gadget.id, 'scheduled')).stdout).toMatch(/^Front door is controlled/)

  const started = await say('emergency', 'start', 'shut', '--reason', 'Test', '--drill', '--json')
  const { id } = JSON.parse(started.stdout)
  expect((await say('doors')).stdout).toMatch(new RegExp(`lockdown\\s+emergency ${id}`))
  expect((await say('emergency', 'end', id)).stdout).toMatch(/^Shut \(drill\) .* has ended/)
  expect((await say('emergency', 'watch', 'em_00000000000000000000')).code).toBe(1)
})

test(
  'a simulation plays its day, and is removed without a trace',
  async () => {
    await using w = await world({ delivery: true })
    const { client } = await w.tenant('Office')
    const say = (...args: string[]) =>
      gatehouse(['simulate', ...args, '--url', w.url], { DATABASE_URL: w.database_url })
    const played = await say('--seconds', '0')
    expect([played.code, played.stderr]).toEqual([0, ''])
    const outcomes = Object.fromEntries(
      played.stdout.split('\n').map(line => [line.slice(0, 5), line.split(': ').slice(1).join(': ')]),
    )
    expect(outcomes).toMatchObject({
      '07:31': 'denied: unknown_credential.',
      '07:44': 'denied: supervisor_absent.',
      '07:52': expect.stringContaining('allowed: open'),
      '08:00': 'it is unlocked (unlock_rule).',
      '08:05': expect.stringContaining('allowed: open'),
      '08:20': expect.stringContaining('allowed: open'),
      '09:10': 'denied: unknown_credential.',
      '10:15': expect.stringContaining('allowed: open'),
      '11:00': '4 of 4 doors have confirmed.',
      '11:01': expect.stringContaining('denied: lockdown'),
      '11:02': expect.stringContaining('allowed: open'),
      '11:03': expect.stringContaining('released for the exit'),
      '11:12': expect.stringContaining('allowed: open'),
      '18:21': 'it is controlled (default).',
    })
    expect((await say('--remove')).stdout).toBe('Removed 12 objects of earlier simulations.\n')
    expect((await client.sites.list()).data).toEqual([])
    expect((await client.members.list()).data).toEqual([])
  },
  within(60).timeout,
)
