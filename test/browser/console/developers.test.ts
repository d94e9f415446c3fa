import { type Receiver, receiver, soak, within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { register } from '../../oauth/people.ts'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting
  let sink: Receiver

  beforeAll(async () => {
    setting = await openSetting('hotel', { delivery: true, width })
    sink = await receiver()
  })
  afterAll(async () => {
    await sink[Symbol.asyncDispose]()
    await setting[Symbol.asyncDispose]()
  })

  /** Registers an application of the user, and installs it in the organization by creating a token. */
  async function install(name: string): Promise<string> {
    const { client_id } = await register(setting.visitor, { name })
    const { organization_id } = setting
    await setting.visitor.account('POST', `/account/applications/${client_id}/tokens`, { organization_id })
    return client_id
  }

  async function shownOnce(page: Page): Promise<string> {
    const secret = await page.locator('.shown-once code').textContent()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.locator('.shown-once').waitFor({ state: 'detached' })
    return secret ?? ''
  }

  test('the four places of developers pass axe in every look', within(120), async () => {
    await checkLooks(setting, '/developers', 'developers')
    await checkLooks(setting, '/developers/organizations', 'developers-organizations')
    await checkLooks(setting, '/developers/devices', 'developers-devices')
    await checkLooks(setting, '/developers/explorer?operation=site.create', 'developers-explorer')
  })

  test('an application is made, its secret shown once, renewed and deleted', async () => {
    const page = await setting.open('/developers?new')
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Booking sync')
    await form.getByLabel('Redirect URIs').fill('https://example.com/callback\nhttp://example.com/')
    await form.getByRole('button', { name: 'Create application' }).click()
    await form.getByText(/^Line 2: Must be an https URL/).waitFor()
    await form.getByLabel('Redirect URIs').fill('https://example.com/callback')
    await form.getByRole('button', { name: 'Create application' }).click()
    await page.getByText('shown only once').waitFor()
    await checkPage(page, `developers-secret-${width}`)
    const first = await shownOnce(page)
    expect(first).toMatch(/^ghx_/)
    await page.getByRole('heading', { name: 'Booking sync' }).waitFor()
    expect(await page.content()).not.toContain(first)
    await checkPage(page, `developers-application-${width}`)

    await page.getByLabel('Name').fill('Booking bridge')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Booking bridge' }).waitFor()
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByText('stops working immediately').waitFor()
    await page.getByRole('button', { name: 'Create new secret' }).click()
    const second = await shownOnce(page)
    expect([second.startsWith('ghx_'), second === first]).toEqual([true, false])

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This cannot be undone').waitFor()
    await page.getByRole('button', { name: 'Delete application' }).click()
    await page.getByText('No applications yet').waitFor()
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  soak('a token for a test organization works and installs the application', async () => {
    const { client_id } = await register(setting.visitor, { name: 'Token taker' })
    const page = await setting.open(`/developers/applications/${client_id}`)
    await page.getByText('No installations yet').waitFor()
    await page.getByRole('button', { name: 'Create test token' }).click()
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await shownOnce(page)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${setting.url}/v2/sites`, { headers })).status).toBe(200)
    await page.getByRole('table', { name: 'Installations' }).getByText('Hotel Miramar').waitFor()
    await checkPage(page, `developers-application-${width}`)
    await page.close()
  })

  soak(
    'a webhook is made, tested, looked into, retried, replayed, edited, switched off and deleted',
    async () => {
      const client_id = await install('Hook owner')
      const page = await setting.open(
        `/developers/applications/${client_id}/organizations/${setting.organization_id}`,
      )
      await page.getByRole('button', { name: 'Add your first webhook' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('URL').fill(sink.url)
      await form.getByLabel('Rule 1: object type').click()
      await page.getByRole('option', { name: 'tag', exact: true }).click()
      await form.getByLabel('Rule 1: verb').click()
      await page.getByRole('option', { name: 'any change' }).click()
      await checkPage(page, `developers-new-webhook-${width}`)
      await form.getByRole('button', { name: 'Add webhook' }).click()
      expect(await shownOnce(page)).toMatch(/^whsec_/)

      await page.getByText('No deliveries yet').waitFor()
      await page.getByRole('button', { name: 'Send test event' }).click()
      const deliveries = page.getByRole('table', { name: 'Deliveries' })
      await deliveries.getByText('Delivered').waitFor()
      await checkPage(page, `developers-webhook-${width}`)
      await deliveries.getByRole('link', { name: 'Test event' }).click()
      const drawer = page.getByRole('dialog')
      await drawer.getByText('"verb": "use"').waitFor()
      await drawer.getByText('200', { exact: true }).waitFor()
      await drawer.getByText('{"ok":true}').waitFor()
      await checkPage(page, `developers-delivery-${width}`)
      await expect.poll(() => new URL(page.url()).searchParams.get('delivery')).toMatch(/^\w+$/)
      await drawer.getByRole('button', { name: 'Retry now' }).click()
      await expect.poll(() => sink.received.length).toBe(2)
      await expect.poll(() => drawer.getByText('200', { exact: true }).count()).toBe(2)
      expect(sink.received[1]?.event.id).toBe(sink.received[0]?.event.id)
      await page.keyboard.press('Escape')

      await setting.client.tags.create({ name: 'Sent twice' })
      await expect.poll(() => sink.received.length).toBe(3)
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.getByRole('dialog').getByLabel('From', { exact: true }).fill('2000-01-01T00:00')
      await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
      await page.getByText(/queued$/).waitFor()
      await expect.poll(() => sink.received.filter(isTag).length).toBeGreaterThanOrEqual(2)

      await page.getByRole('button', { name: 'Edit' }).click()
      await form.getByRole('button', { name: 'Remove rule 1' }).click()
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Nothing (no rules)').waitFor()
      await page.getByLabel('Send events').click()
      await page.getByText('Off', { exact: true }).waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Send test event' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete webhook' }).click()
      await page.getByText('No webhooks yet').waitFor()
      expect(faultsOf(page)).toEqual([])
      await page.close()
    },
  )

  function isTag({ event }: { event: object }): boolean {
    const { object } = event as { object: { type: string } }
    return object.type === 'tag'
  }

  soak('a receiver that fails is seen in the log', async () => {
    const client_id = await install('Failing receiver')
    const path = `/applications/${client_id}/organizations/${setting.organization_id}/webhooks`
    sink.respond = 500
    const { body } = await setting.visitor.account<{ id: string }>('POST', `/account${path}`, {
      url: sink.url,
    })
    await setting.visitor.account('POST', `/account${path}/${body.id}/test`)
    const page = await setting.open(`/developers${path}/${body.id}`)
    await page.getByText('Retrying').waitFor()
    await page.getByRole('link', { name: 'Test event' }).click()
    await page.getByRole('dialog').getByText('500', { exact: true }).waitFor()
    await checkPage(page, `developers-delivery-${width}`)
    sink.respond = 200
    await page.close()
  })

  soak('the explorer finds an endpoint, sends it with the session and tells the curl line', async () => {
    const page = await setting.open('/developers/explorer')
    if (width === 'desktop') {
      await page.getByLabel('Search endpoints').fill('create tag')
      await page.getByRole('link', { name: /Create a tag/ }).click()
    } else {
      await page.getByRole('combobox', { name: 'Endpoint' }).fill('POST /tags')
      await page.getByRole('option', { name: 'POST /tags', exact: true }).click()
    }
    const body = page.getByLabel('Body')
    await body.fill('{"name": "From the explorer"}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/^20\d .* ms$/).waitFor()
    await page.getByLabel('Response', { exact: true }).getByText('"name": "From the explorer"').waitFor()
    const curl = page.getByRole('region', { name: 'As a curl command' })
    await curl.getByText(`curl -X POST '${setting.url}/v2/tags'`).waitFor()
    await checkPage(page, `developers-explorer-answer-${width}`)
    await body.fill('{"name": 7}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/^400 .* ms$/).waitFor()
    const { data } = await setting.client.tags.list({ q: 'From the explorer' })
    expect(data).toHaveLength(1)
    await page.close()

    const other = await setting.open('/developers/explorer?operation=tag.get')
    await other.getByText('Fill in tag_id first').waitFor()
    await other.getByLabel('tag_id').fill(data[0]?.id as string)
    await other.getByRole('button', { name: 'Send' }).click()
    await other.getByText(/^200 .* ms$/).waitFor()
    await other.close()
  })

  soak('a test organization is made from a template', async () => {
    const page = await setting.open('/developers/organizations?new')
    await page.getByRole('dialog').getByLabel('Name').fill('Test gym')
    await page.getByRole('dialog').getByLabel('Gym').check()
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('link', { name: 'Test gym' }).click()
    await page.waitForURL(url => !url.pathname.includes(setting.organization_id))
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.close()
  })

  soak('the keypad and the faults of a virtual device on screen', async () => {
    const page = await setting.open('/developers/devices')
    await page.getByRole('button', { name: '1', exact: true }).click()
    await page.getByRole('button', { name: '2', exact: true }).click()
    await expect.poll(() => page.getByLabel('Keys typed').textContent()).toBe('12')
    await page.getByRole('button', { name: '#', exact: true }).click()
    await page.getByText('Typed 12#').waitFor()
    await page.getByLabel('UID').fill('04A1B2C3D4E5F6')
    await page.getByRole('button', { name: 'Hold to the reader' }).click()
    await page.getByText('Held card').waitFor()
    await page.getByLabel('Connected to the network').click()
    await page.getByText('Offline', { exact: true }).waitFor()
    await page.getByLabel('Slow').click()
    await page.getByText('Set fault: Slow').waitFor()
    await checkPage(page, `developers-device-${width}`)
    await page.close()
  })

  soak('a malicious name of an application shows as text', async () => {
    const name = `<img src=x onerror="window.harmed = true">\u202e${'\u0301'.repeat(200)}`
    const client_id = await install(name)
    const page = await setting.open('/developers')
    const base = `/o/${setting.organization_id}/developers/applications/${client_id}`
    for (const path of ['', `/organizations/${setting.organization_id}`]) {
      await page.getByText('<img src=x').first().waitFor()
      await checkPage(page, `developers-malicious-${width}`)
      expect(await page.evaluate(() => 'harmed' in window)).toBe(false)
      await page.goto(`${setting.url}${base}${path}`)
      await page.locator('h1').waitFor()
    }
    await page.close()
  })
})
