import { readFile } from 'node:fs/promises'
import { createClient } from '@gatehouse-access/sdk'
import { soak, within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting
  let group_id: string
  let door: string
  let key: { readonly id: string; readonly key: string }

  beforeAll(async () => {
    setting = await openSetting(null, { width })
    const { client, visitor, organization_id, url } = setting
    const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
    const device = await client.devices.create({ name: 'Hub', site_id: site.id, product_id: 'controller' })
    door = (await client.gadgets.create({ name: 'Server room', device_id: device.id })).id
    const permissions = [{ gadget_id: door }]
    group_id = (await client.member_groups.create({ name: 'Technicians', permissions })).id
    const keys = `/account/organizations/${organization_id}/api_keys`
    const wish = { name: 'Booking system', scopes: ['full_read_write'], expires_at: null }
    key = (await visitor.account<typeof key>('POST', keys, wish)).body
    const booking = createClient({ base_url: `${url}/v2`, token: key.key })
    await booking.grants.create({ member: { name: 'Ada' }, member_group_ids: [group_id] })
    await visitor.account('DELETE', `${keys}/${key.id}`)
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  async function readSaved(page: Page): Promise<string[]> {
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    return (await readFile(await (await saving).path(), 'utf8')).trimEnd().split('\r\n')
  }

  test('a key that was revoked is named, in the review and as a filter', within(60), async () => {
    const page = await setting.open(`/gadgets/${door}/review`)
    expect((await readSaved(page))[1]).toMatch(/^Ada,Technicians,At all times,.*,Booking system$/)
    await page.close()
    const events = await setting.open(`/events?subject.oauth_application_id=${key.id}`)
    if (width === 'phone') await events.getByRole('button', { name: /^Filters/ }).click()
    await events
      .getByRole('button', { name: /^Remove filter By/ })
      .getByText('Booking system')
      .waitFor()
    await events.close()
  })

  soak('the file has everybody, also more than the page shows', within(180), async () => {
    const { client } = setting
    const operations = Array.from({ length: 1001 }, (_, index) => ({
      method: 'POST' as const,
      path: '/grants',
      body: { member: { name: `Guest ${index}` }, member_group_ids: [group_id] },
    }))
    await client.bulk(operations)
    const page = await setting.open(`/gadgets/${door}/review`)
    await page.getByText('The first 1000 members.', { exact: false }).waitFor()
    const lines = await readSaved(page)
    expect(lines).toHaveLength(1003)
    expect(new Set(lines.slice(1).map(line => line.split(',')[0])).size).toBe(1002)
    expect(lines.filter(line => line.includes('Olivia Owner'))).toHaveLength(1001)
    await page.close()
  })
})
