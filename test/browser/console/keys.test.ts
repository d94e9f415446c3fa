import { within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, openSetting, type Setting, widths } from './setting.ts'

let setting: Setting

beforeAll(async () => {
  setting = await openSetting(null)
})
afterAll(() => setting[Symbol.asyncDispose]())

/** By the clocks of the browser, which are those of the tests. */
const end = '2035-06-15T12:00'

describe.each(widths)('on a %s', width => {
  test('an API key is made with scopes and an end, shown once, used and revoked', within(90), async () => {
    const page = await setting.open('/developers/keys?new', width)
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill(`Nightly ${width}`)
    expect(await form.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await form.getByRole('checkbox', { name: 'Read members' }).check()
    await form.getByRole('checkbox', { name: 'Read events' }).check()
    await form.getByRole('combobox', { name: 'Ends' }).click()
    await page.getByRole('option', { name: 'On a date' }).click()
    expect(await form.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await form.getByLabel('End', { exact: true }).fill('2020-06-15T12:00')
    await form.getByRole('button', { name: 'Create key' }).click()
    await form.getByText('Choose a time in the future.').waitFor()
    await form.getByLabel('End', { exact: true }).fill(end)
    await checkPage(page, `new-key-${width}`, true)
    await form.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('This is shown only once.').waitFor()
    // There is nothing to fill in, so that it is read from its title.
    await expect.poll(() => form.locator(':focus').textContent()).toBe('API key')
    const key = (await page.locator('.shown-once').textContent())?.match(/ghak_[\w-]+/)?.[0] ?? ''
    for (const path of ['/v2/members', '/v2/events']) expect(await statusOf(path, key)).toBe(200)
    expect(await statusOf('/v2/sites', key)).toBe(403)
    expect(await statusOf('/v2/members', key, 'POST')).toBe(403)
    expect(await keyNamed(`Nightly ${width}`)).toMatchObject({
      scopes: ['events:read', 'members:read'],
      expires_at: new Date(end).toISOString().replace('Z', '000Z'),
      hint: key.slice(-4),
    })
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const table = page.getByRole('table', { name: 'API keys' })
    await table.getByText(`Nightly ${width}`).waitFor()
    const row = table.getByRole('row').filter({ hasText: `Nightly ${width}` })
    expect(await row.getByText('15 Jun 2035').isVisible()).toBe(true)
    expect(await row.getByText('Read events, Read members').isVisible()).toBe(true)
    await checkPage(page, `keys-${width}`, true)
    await page.getByRole('button', { name: `Revoke Nightly ${width}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await table.getByText(`Nightly ${width}`).waitFor({ state: 'detached' })
    await expect.poll(() => statusOf('/v2/members', key)).toBe(401)
    await page.close()
  })

  test("one's own application is installed in the organization", within(90), async () => {
    const { body } = await setting.visitor.account<{ id: string }>('POST', '/account/applications', {
      name: `Sync ${width}`,
      redirect_uris: ['https://example.com/callback'],
    })
    const page = await setting.open(`/developers/applications/${body.id}`, width)
    await page.getByRole('button', { name: 'Install in this organization' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('checkbox', { name: 'Read events' }).check()
    await checkPage(page, `install-${width}`, true)
    await form.getByRole('button', { name: 'Install' }).click()
    const installed = page.getByRole('table', { name: 'Installations' })
    await installed.getByText('Hotel Miramar').waitFor()
    await installed.getByText('Read events').filter({ visible: true }).waitFor()
    await checkPage(page, `installations-${width}`)
    const path = `/account/applications/${body.id}/installations`
    const found = await setting.visitor.account<{ data: object[] }>('GET', path)
    expect(found.body.data).toMatchObject([
      { organization_id: setting.organization_id, scopes: ['events:read'] },
    ])
    await page.close()
  })
})

test('an application of somebody else cannot be installed, nor in a foreign organization', async () => {
  const { body } = await setting.visitor.account<{ id: string }>('POST', '/account/applications', {
    name: 'Mine',
    redirect_uris: ['https://example.com/callback'],
  })
  const install = (application: string, organization: string) =>
    setting.visitor.account(
      'POST',
      `/account/applications/${application}/organizations/${organization}/installation`,
      { scopes: ['events:read'] },
    )
  const foreign = await setting.world.tenant()
  expect((await install(body.id, foreign.organization_id)).status).toBe(404)
  expect((await install('oa_00000000000000000000', setting.organization_id)).status).toBe(404)
})

async function statusOf(path: string, key: string, method = 'GET'): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${setting.url}${path}?limit=1`, { method, headers })).status
}

async function keyNamed(name: string): Promise<object | undefined> {
  const path = `/account/organizations/${setting.organization_id}/api_keys`
  const { body } = await setting.visitor.account<{ data: { name: string }[] }>('GET', path)
  return body.data.find(key => key.name === name)
}
