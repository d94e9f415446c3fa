import { soak } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('an unknown card at the virtual reader is refused, with the reason', async () => {
    const page = await setting.open('/developers/devices')
    await page.getByLabel('UID').fill('0FFFFFFFFFFFF0')
    await page.getByRole('button', { name: 'Hold to the reader' }).click()
    await page.getByText('Held card 0FFFFFFFFFFFF0').waitFor()
    await page.getByText('Denied: No member has this PIN, card or link.').waitFor()
    await page.close()
  })

  soak('a sensor on screen reports a state and a signal, and a trigger runs on it', async () => {
    const { client } = setting
    const { id: site_id } = await client.sites.create({ name: 'Test yard', timezone: 'Europe/Madrid' })
    const { id: device_id } = await client.devices.create({
      name: 'Yard box',
      site_id,
      product_id: 'controller',
    })
    const gate = await client.gadgets.create({
      name: 'Gate',
      device_id,
      actions: [{ id: 'open', name: 'Open' }],
      states: [
        { id: 'closed', name: 'Shut' },
        { id: 'opened', name: 'Wide open' },
      ],
      signals: [{ id: 'bell', name: 'Bell rings' }],
    })
    const lamp = await client.gadgets.create({
      name: 'Lamp',
      device_id,
      actions: [{ id: 'on', name: 'On' }],
    })
    await client.gadget_triggers.create({
      source_type: 'signal',
      source_gadget_id: gate.id,
      source_signal_id: 'bell',
      target_gadget_id: lamp.id,
      target_action_id: 'on',
    })
    const page = await setting.open(`/developers/devices?device=${device_id}`)
    const sensors = page.getByRole('group', { name: 'Gate' })
    await sensors.getByRole('button', { name: 'Wide open' }).click()
    await page.getByText('State reported: Wide open').waitFor()
    await page.getByText('State changed to opened').waitFor()
    await expect
      .poll(() => sensors.getByRole('button', { name: 'Wide open' }).getAttribute('aria-pressed'))
      .toBe('true')
    await sensors.getByRole('button', { name: 'Bell rings' }).click()
    await page.getByText('Sent the signal bell').waitFor()
    await page.getByText('A trigger ran on').waitFor()
    await expect.poll(async () => (await client.gadgets.get(gate.id)).state_id).toBe('opened')
    await checkPage(page, `virtual-sensors-${width}`)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })
})
