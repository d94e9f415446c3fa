import { isSoak, soak, within } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, openSetting, type Setting, type Width, widthsFor } from './setting.ts'

let setting: Setting
let group: string

beforeAll(async () => {
  setting = await openSetting(null)
  const { client } = setting
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const permissions = [{ site_id: site.id }]
  group = (await client.member_groups.create({ name: 'Night shift', permissions })).id
  const tag = await client.tags.create({ name: 'Course' })
  const ada = await client.members.create({ name: 'Ada', tag_ids: [tag.id] })
  await client.member_group_associations.create(ada.id, { member_group_id: group })
  const vip = await client.tags.create({ name: 'VIP' })
  const day = await client.member_groups.create({ name: 'Day shift', permissions: [] })
  const eve = await client.members.create({ name: 'Eve', ends_at: '2035-06-01T00:00:00Z', tag_ids: [vip.id] })
  await client.member_group_associations.create(eve.id, { member_group_id: day.id })
  const max = await client.members.create({ name: 'Max' })
  await client.members.edit(max.id, { is_suspended: true, suspended_reason: 'Lost his bag' })
  await client.cards.create({ name: 'Blue card', printed_code: 'GH-2' })
  await client.cards.create({ name: 'Red card', printed_code: 'GH-1' })
  const lost = await client.cards.create({ name: 'Lost card', printed_code: 'GH-0' })
  await client.cards.edit(lost.id, { is_lost: true })
  const held = await client.cards.create({ name: 'Card of Eve', printed_code: 'GH-4' })
  const given = await client.member_cards.create(eve.id, { card_id: held.id })
  await client.member_cards.edit(eve.id, given.id, { is_suspended: true })
})
afterAll(() => setting[Symbol.asyncDispose]())

/** Returns the names in the rows of a list, from above. */
function namesIn(page: Page): Promise<string[]> {
  return page.locator('.row-target .name').allTextContents()
}

async function openFilters(page: Page, width: Width): Promise<void> {
  if (width === 'phone') await page.getByRole('button', { name: /^Filters/ }).click()
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe.each(widthsFor('phone'))('on a %s', width => {
  test('members are filtered by group, tag, status and day, sorted and counted', within(90), async () => {
    const page = await setting.open('/members', width)
    await page.getByText('3 in total').waitFor()
    await openFilters(page, width)
    await choose(page, 'Order', 'By name, from Z')
    await expect.poll(() => namesIn(page)).toEqual(['Max', 'Eve', 'Ada'])
    await choose(page, 'Group', 'Night shift')
    await expect.poll(() => namesIn(page)).toEqual(['Ada'])
    await page.getByText('1 in total').waitFor()
    await page.getByRole('button', { name: 'Suspended', exact: true }).click()
    await expect.poll(() => namesIn(page)).toEqual(['Max'])
    await page.getByRole('button', { name: 'Everybody' }).click()
    await choose(page, 'Site', 'House')
    await expect.poll(() => namesIn(page)).toEqual(['Ada'])
    await page.getByRole('button', { name: 'Everybody' }).click()
    await choose(page, 'Tag', 'Course')
    await expect.poll(() => namesIn(page)).toEqual(['Ada'])
    await choose(page, 'Added', 'Last 7 days')
    await page.getByText(/, days in /).waitFor()
    await expect.poll(() => namesIn(page)).toEqual(['Ada'])
    await checkPage(page, `lists-members-${width}`, true)
    await page.close()
  })

  test('a view keeps filters, order and search in the browser of its user', within(90), async () => {
    const page = await setting.open(`/members?q=a&member_group_id=${group}`, width)
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('View name').fill('My night')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Everybody' }).click()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
    await page.getByText('3 in total').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'My night', exact: true }).click()
    await expect.poll(() => namesIn(page)).toEqual(['Ada'])
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('a')
    await page.getByRole('button', { name: 'Delete view My night' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'My night', exact: true }).count()).toBe(0)
    await page.close()
  })

  test('cards are sorted and filtered', within(90), async () => {
    const page = await setting.open('/cards', width)
    await page.getByText('3 in total').waitFor()
    await openFilters(page, width)
    await choose(page, 'Order', 'By printed code')
    await expect.poll(() => namesIn(page)).toEqual(['Red card', 'Blue card', 'Card of Eve'])
    await page.getByRole('searchbox').fill('Lost')
    await expect.poll(() => namesIn(page)).toEqual(['Lost card'])
    const shown = page.getByRole('combobox', { name: 'Show', exact: true })
    await expect.poll(() => shown.inputValue()).toBe('All')
    await page.getByRole('searchbox').fill('')
    await expect.poll(async () => (await namesIn(page)).length).toBe(3)
    await choose(page, 'Show', 'Free')
    await expect.poll(() => namesIn(page)).toEqual(['Red card', 'Blue card'])
    await choose(page, 'Show', 'Given to somebody')
    await expect.poll(() => namesIn(page)).toEqual(['Card of Eve'])
    await page.getByRole('button', { name: 'Lost cards', exact: true }).click()
    await expect.poll(() => namesIn(page)).toEqual(['Lost card'])
    await page.getByRole('button', { name: 'Suspended cards', exact: true }).click()
    await expect.poll(() => namesIn(page)).toEqual(['Card of Eve'])
    await choose(page, 'Show', 'Deleted cards')
    await page.getByText('No matching cards').waitFor()
    await page.getByRole('button', { name: 'In use and free' }).click()
    await expect.poll(async () => (await namesIn(page)).length).toBe(3)
    await choose(page, 'Tag', 'VIP')
    await expect.poll(() => namesIn(page)).toEqual(['Card of Eve'])
    await page.getByRole('button', { name: 'In use and free' }).click()
    await expect.poll(async () => (await namesIn(page)).length).toBe(3)
    await choose(page, 'Group', 'Day shift')
    await expect.poll(() => namesIn(page)).toEqual(['Card of Eve'])
    await page.getByText('1 in total').waitFor()
    await checkPage(page, `lists-cards-${width}`, true)
    await choose(page, 'Site', 'House')
    await page.getByText('No matching cards').waitFor()
    await page.close()
  })
})

test('columns are chosen and kept, and their titles sort', within(60), async () => {
  const page = await setting.open('/members', 'desktop')
  const titles = () => page.getByRole('columnheader').filter({ hasText: /\w/ }).allTextContents()
  await page.getByText('3 in total').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'External ID' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Tags' }).click()
  await expect.poll(titles).toEqual(['Name', 'Status', 'From', 'Until', 'Added', 'External ID'])
  await checkPage(page, 'lists-columns', isSoak)
  await page.reload()
  await expect.poll(titles).toEqual(['Name', 'Status', 'From', 'Until', 'Added', 'External ID'])
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect.poll(() => namesIn(page)).toEqual(['Ada', 'Eve', 'Max'])
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect.poll(() => namesIn(page)).toEqual(['Max', 'Eve', 'Ada'])
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('name:desc')
  await page.close()
})

const columnLists = [
  {
    path: '/cards',
    usual: ['Name', 'Assigned to', 'Printed code', 'UID', 'Added'],
    less: ['UID', 'Added'],
    left: ['Name', 'Assigned to', 'Printed code'],
  },
  {
    path: '/events',
    usual: ['Event', 'Method', 'IP address', 'When'],
    less: ['IP address'],
    left: ['Event', 'Method', 'When'],
  },
]

test('a view of cards keeps filters, order and columns', within(60), async () => {
  const page = await setting.open('/cards?show=free&sort=name:asc', 'desktop')
  const titles = () => page.getByRole('columnheader').filter({ hasText: /\w/ }).allTextContents()
  const flip = async (name: string) => {
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name }).click()
    await page.keyboard.press('Escape')
  }
  const usual = ['Name', 'Assigned to', 'Printed code', 'UID', 'Added']
  await flip('UID')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('View name').fill('At the desk')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'In use and free' }).click()
  await flip('UID')
  await expect.poll(titles).toEqual(usual)
  await expect.poll(() => namesIn(page)).toEqual(['Card of Eve', 'Red card', 'Blue card'])
  await page.reload()
  await page.getByRole('button', { name: 'At the desk', exact: true }).click()
  await expect.poll(titles).toEqual(['Name', 'Assigned to', 'Printed code', 'Added'])
  await expect.poll(() => namesIn(page)).toEqual(['Blue card', 'Red card'])
  await page.getByRole('button', { name: 'Delete view At the desk' }).click()
  await flip('UID')
  await expect.poll(titles).toEqual(usual)
  await page.close()
})

test.each(columnLists)(
  'columns of $path are left out, kept and brought back',
  async ({ path, usual, less, left }) => {
    const page = await setting.open(path, 'desktop')
    const titles = () => page.getByRole('columnheader').filter({ hasText: /\w/ }).allTextContents()
    const flip = async () => {
      await page.getByRole('button', { name: 'Columns' }).click()
      for (const name of less) await page.getByRole('menuitemcheckbox', { name }).click()
    }
    await expect.poll(titles).toEqual(usual)
    await flip()
    await expect.poll(titles).toEqual(left)
    await checkPage(page, `lists-columns${path.replace('/', '-')}`)
    await page.reload()
    await expect.poll(titles).toEqual(left)
    await flip()
    await expect.poll(titles).toEqual(usual)
    await page.close()
  },
)

soak('a long list keeps few pages, and loads those again that one scrolls back to', within(90), async () => {
  const many = 4000
  await setting.world.server.context.db.query(
    `INSERT INTO members (id, organization_id, name, tag_ids, is_deleted, created_at, metadata, search_text)
     SELECT 'mem_' || left(md5($1 || n), 20), $1, 'Guest ' || lpad(n::text, 4, '0'), '{}', false,
       '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second', '{}', '' FROM generate_series(1, $2::integer) n`,
    [setting.organization_id, many],
  )
  const page = await setting.open('/members?sort=created_at:asc', 'desktop')
  await page.getByText('4,003 in total').waitFor()
  const scrollTo = (name: string, top: number | 'end') => async () => {
    await page.evaluate(at => window.scrollTo(0, at === 'end' ? document.body.scrollHeight : at), top)
    return page.getByRole('link', { name, exact: true }).count()
  }
  await expect.poll(scrollTo('Max', 'end'), { interval: 20 }).toBe(1)
  expect(await page.locator('.rows-body > .row').count()).toBeLessThan(60)
  await page.getByText('4,003 in total').waitFor()
  await expect.poll(scrollTo('Guest 0500', 500 * 44), { interval: 20 }).toBe(1)
  await expect.poll(scrollTo('Guest 0001', 0), { interval: 20 }).toBe(1)
  expect(await page.getByRole('table').getByRole('row').count()).toBeLessThan(60)
  await page.close()
})
