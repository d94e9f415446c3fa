import { soak } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '../../oauth/people.ts'
import {
  checkPage,
  faultsOf,
  openPage,
  openSetting,
  type Setting,
  signedIn,
  waitUntilLive,
  widthsFor,
} from './setting.ts'

let setting: Setting

beforeAll(async () => {
  setting = await openSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

test.each(widthsFor('phone'))('a new organization leads from one thing to the next, on a %s', async look => {
  const person = await signUp(setting.world, `first-${look}@example.com`, 'Fiona First')
  const context = await signedIn(setting.browser, person)
  const page = await openPage(context, setting.url, look)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByLabel('Name').fill('Casa Azul')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('No devices yet.').waitFor()
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByText('0 of 6 done').waitFor()
  await checkPage(page, `first-overview-${look}`)
  await page.getByRole('link', { name: 'Create your first site' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Beach house')
  await page.getByRole('dialog').getByRole('button', { name: 'Create site' }).click()
  await page.getByRole('heading', { name: 'Beach house' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await steps.getByText('1 of 6 done').waitFor()
  await expect.poll(() => steps.locator('[aria-current=step]').textContent()).toContain('A device')
  await page.getByRole('link', { name: 'Add your first device' }).click()
  await page.getByRole('dialog').getByText('New device').waitFor()

  const organization_id = /\/o\/([^/?]+)/.exec(page.url())?.[1] ?? ''
  const create = async (path: string, body: object) =>
    (
      await person.account<{ id: string }>('POST', `/v2${path}`, body, {
        'x-organization-id': organization_id,
      })
    ).body.id
  const next = steps.locator('[aria-current=step]')
  /** What the checklist says after something was done elsewhere. */
  const said = async (done: string, step: string) => {
    await page.goto(`${setting.url}/o/${organization_id}`)
    await steps.getByText(done).waitFor()
    await expect.poll(() => next.textContent()).toContain(step)
  }
  const [site] = (
    await person.account<{ data: { id: string }[] }>('GET', '/v2/sites', undefined, {
      'x-organization-id': organization_id,
    })
  ).body.data
  const device_id = await create('/devices', { name: 'Lock', site_id: site?.id, product_id: 'controller' })
  await create('/gadgets', { name: 'Beach door', device_id })
  const group = await create('/member_groups', { name: 'Family' })
  await said('3 of 6 done', 'A group with a rule')
  await next.getByRole('link', { name: 'Add a rule to your group' }).click()
  await page.getByRole('heading', { level: 1, name: 'Family' }).waitFor()
  await page.getByRole('button', { name: 'Add rule' }).click()
  const rule = page.getByRole('dialog')
  await rule.getByText('Everything', { exact: true }).click()
  await rule.getByRole('button', { name: 'Save rule' }).click()
  await rule.waitFor({ state: 'detached' })
  const member = await create('/members', { name: 'Fiona First' })
  await said('4 of 6 done', 'A member')
  await create(`/members/${member}/group_associations`, { member_group_id: group })
  await said('4 of 6 done', 'A member')
  await create(`/members/${member}/pins`, {})
  await said('5 of 6 done', 'The first opened door')
  await checkPage(page, `first-door-${look}`)
  const other = await openPage(context, `${setting.url}/o/${organization_id}`, look)
  await waitUntilLive(other)
  await next.getByRole('link', { name: 'Open a door' }).click()
  await page.getByRole('heading', { level: 1, name: 'Doors' }).waitFor()
  await page
    .getByRole('row', { name: /Beach door/ })
    .getByRole('button', { name: 'Open: Beach door' })
    .click()
  await page.getByRole('button', { name: 'Done: Beach door' }).waitFor()
  await checkPage(page, `first-opened-${look}`, true)
  await other.getByRole('region', { name: 'First steps' }).waitFor({ state: 'detached' })
  expect(faultsOf(other)).toEqual([])
  expect(faultsOf(page)).toEqual([])
  await context.close()
})

soak.each(widthsFor('phone'))('what is being added stands in the address, on a %s', async width => {
  const name = `Gardeners with a ${width}`
  const page = await setting.open('/groups', width)
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByRole('dialog').waitFor()
  expect(new URL(page.url()).searchParams.has('new')).toBe(true)
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Create group' }).click()
  await page.getByRole('heading', { name }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.close()
})

soak.each(widthsFor('phone'))('what does not exist is said in a page of its own, on a %s', async look => {
  const page = await setting.open('/nowhere', look)
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await checkPage(page, `no-such-page-${look}`)
  await page.goto(`${setting.url}/o/${setting.organization_id}/members/mem_00000000000000000000`)
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  await checkPage(page, `no-such-member-${look}`)
  for (const path of ['members/mem_mistyped', 'tags/tag_00000000000000000000']) {
    await page.goto(`${setting.url}/o/${setting.organization_id}/${path}`)
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  }
  await page.getByRole('link', { name: 'Go to overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.close()
})

test.each(widthsFor('phone'))(
  'a screen that cannot be fetched says so and comes with the next try, on a %s',
  async look => {
    const page = await setting.open('/members', look)
    await page.route('**/console/**', route => route.abort())
    await page.getByRole('link', { name: 'Events' }).filter({ visible: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Could not load this page' }).waitFor()
    await checkPage(page, `screen-lost-${look}`)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
    await page.close()
  },
)
