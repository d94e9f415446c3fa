import { within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobTypes } from '../../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../../packages/server/src/services/jobs/run-jobs.ts'
import { workUntil } from '../../privacy/erase.ts'
import { checkLooks, checkPage, openSetting, type Setting, walk, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  beforeAll(async () => {
    setting = await openSetting('hotel', { width, delivery: true })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('privacy and the record pass axe in every look', within(120), async () => {
    await checkLooks(setting, '/privacy', 'privacy')
    await checkLooks(setting, '/privacy/record', 'privacy-record')
    const page = await setting.open('/privacy/record')
    const recipients = page.getByRole('region', { name: 'Recipients' })
    await recipients.getByText(/^Door controller.*, Gateway/).waitFor()
    await page.close()
  })

  test('an owner chooses what is usual, sees what it would remove, and undoes it', async () => {
    const page = await setting.open('/privacy')
    await page.getByText('Nothing expires').waitFor()
    await page.getByRole('combobox', { name: 'Use a preset' }).click()
    await page.getByRole('option', { name: 'France (90 days)' }).click()
    await expect.poll(() => page.getByLabel('Who used a door').inputValue()).toBe('90 days')
    await page.getByText('Nothing is so old yet').waitFor()
    await page.getByLabel('Uses of doors').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('cannot be deleted before they lose their member').first().waitFor()
    await page.getByLabel('Uses of doors').fill('120')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A change is about to take effect').waitFor()
    expect((await setting.client.organization.get()).privacy).toMatchObject({
      access_days: 90,
      access_delete_days: 120,
    })
    await checkPage(page, 'privacy-pending')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Nothing expires').waitFor()
    expect(await setting.client.organization.get()).toMatchObject({
      privacy: { access_days: null },
      privacy_pending: null,
    })
    await page.close()
  })

  test('an owner sets a hold, which blocks an erasure, and releases it', async () => {
    const { client } = setting
    const { id } = await client.members.create({ name: 'Held Person' })
    const page = await setting.open('/privacy')
    await page.getByText('No legal holds').waitFor()
    await page.getByRole('button', { name: 'New hold' }).click()
    const dialog = page.getByRole('dialog', { name: 'New legal hold' })
    await dialog.getByLabel('Name').fill('Water damage')
    await dialog.getByRole('combobox', { name: 'Members' }).fill('Held')
    await page.getByRole('option', { name: 'Held Person' }).click()
    await dialog.getByLabel('Case number').fill('AZ 3')
    await dialog.getByRole('button', { name: 'Set hold' }).click()
    const held = page.getByRole('list', { name: 'Legal holds' })
    await held.getByText('AZ 3, 1 member').waitFor()
    const begun = await client.erasures.create({ member_id: id, reference: 'DSR-7' })
    expect(begun.state).toBe('blocked')
    await page.getByRole('link', { name: 'DSR-7' }).waitFor()
    await checkPage(page, 'privacy-hold')
    await page.getByRole('link', { name: 'DSR-7' }).click()
    await page.getByText('A legal hold covers the member').waitFor()
    await checkPage(page, 'erasure')
    await page.goBack()
    await page.getByRole('button', { name: 'Release Water damage' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
    await page.getByText('No legal holds').waitFor()
    await client.erasures.cancel(begun.id)
    await page.close()
  })

  test('what is held about a member is counted, exported, and erased once the name is typed', async () => {
    const { client, world } = setting
    await using _ = new JobRunner(world.server.context, jobTypes)
    const { id } = await client.members.create({ name: 'Erin Erased' })
    await client.member_emails.create(id, { email: 'erin@example.com' })
    const { counts } = await client.members.erase(id, {}, { dry_run: true })
    const page = await setting.open(`/members/${id}`)
    const privacy = page.getByRole('region', { name: 'Privacy' })
    await privacy.getByRole('button', { name: 'Show what is held' }).click()
    await expect
      .poll(() => privacy.locator('dd').allInnerTexts())
      .toEqual([counts.objects, counts.events, counts.devices].map(String))
    await checkPage(page, `member-held-${width}`)

    await privacy.getByRole('button', { name: 'Export data' }).click()
    await page.getByRole('heading', { name: 'Data of a member' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download member-data.html' }).click()
    expect((await download).suggestedFilename()).toBe('member-data.html')
    await page.goBack()

    // The export is held, too.
    const { counts: now } = await client.members.erase(id, {}, { dry_run: true })
    expect(now.objects).toBe(counts.objects + 1)
    const count = Promise.withResolvers<void>()
    await page.route('**/erase?*', async route => {
      await count.promise
      await route.continue()
    })
    await privacy.getByRole('button', { name: 'Erase' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase member' })
    await dialog.getByLabel('Reference').waitFor()
    expect(await dialog.getByText('Objects that are deleted').count()).toBe(0)
    count.resolve()
    await dialog.getByText(`Objects that are deleted: ${now.objects}.`).waitFor()
    await checkPage(page, `member-erase-${width}`)
    const erase = dialog.getByRole('button', { name: 'Erase' })
    await dialog.getByLabel('Reference').fill('DSR-8')
    await dialog.getByLabel('Type Erin Erased to confirm').fill('Erin')
    expect(await erase.isDisabled()).toBe(true)
    await dialog.getByLabel('Type Erin Erased to confirm').fill('Erin Erased')
    await erase.click()
    await page.getByRole('heading', { level: 1, name: 'Erased member' }).waitFor()
    await privacy.getByText('DSR-8').waitFor()
    expect(await privacy.getByRole('button').count()).toBe(0)
    expect(await client.members.get(id)).toMatchObject({ name: null, is_deleted: true })
    await page.close()
  })

  test('an erasure that waits names the doors it waits for, and since when they are offline', async () => {
    const { client, world } = setting
    const { id: site_id } = await client.sites.create({ name: 'Annex', timezone: 'Europe/Madrid' })
    const devices: string[] = []
    for (let floor = 1; floor <= 12; floor++) {
      const { id } = await client.devices.create({ name: 'Controller', site_id, product_id: 'controller' })
      await client.gadgets.create({ name: `Boiler room ${floor}`, device_id: id })
      devices.push(id)
    }
    const group = await client.member_groups.create({ name: 'Fitters', permissions: [{ site_id }] })
    const member = await client.members.create({ name: 'Erin Away' })
    await client.member_group_associations.create(member.id, { member_group_id: group.id })
    for (const device of devices) await client.devices.simulate(device, { network: 'offline' })
    const { id } = await client.erasures.create({ member_id: member.id })
    await workUntil(world, client, id, 'waiting')
    const page = await setting.open('/privacy')
    const asked = `**/v2/erasures/${id}/devices`
    await page.route(asked, route =>
      route.fulfill({ status: 403, json: { type: 'permission_denied', message: 'No.' } }),
    )
    await walk(page, setting, `/privacy/erasures/${id}`)
    await page.getByText('You do not have permission to do this').waitFor()
    await page.unroute(asked)
    const names: string[] = []
    page.on('request', request => names.push(...(/\/v2\/(gadgets|devices)/.exec(request.url()) ?? [])))
    const held = page.getByRole('list', { name: 'Devices that still hold the member' })
    await held.getByText(/Boiler room 1 Offline since .*\d \(UTC time\)$/).waitFor()
    expect(await held.getByText(/^Boiler room \d/).count()).toBe(10)
    await held.getByText('and 2 more', { exact: true }).waitFor()
    await page.getByText('Done but for 12 devices').waitFor()
    await page.getByText('0 of 12', { exact: true }).waitFor()
    await checkPage(page, 'erasure-waiting')
    // The service counts for the erasure once in a while, but the page tells what it has just heard.
    await client.devices.simulate(devices[11] ?? '', { network: 'online' })
    await held.getByText('and 1 more', { exact: true }).waitFor()
    await page.getByText('Done but for 11 devices').waitFor()
    await page.getByText('1 of 12', { exact: true }).waitFor()
    expect(names).toEqual([])
    await page.close()
  })

  test('the history of a member says what was before and after', async () => {
    const { client } = setting
    const { id } = await client.members.create({ name: 'First Name' })
    await client.members.edit(id, { name: 'Second Name' })
    const page = await setting.open(`/members/${id}`)
    await page.getByRole('button', { name: 'Show history' }).click()
    const versions = page.getByRole('list', { name: 'Versions of Second Name' })
    await versions.getByText('Name changed from “First Name” to “Second Name”.').waitFor()
    await page.close()
  })
})
