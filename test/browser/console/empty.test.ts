import { isSoak } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { checkPage, openSetting, type Setting, walk, widthsFor } from './setting.ts'

/** The text of each empty screen, and the button that creates the first object. */
const beginnings = {
  '/members': ['No members yet', 'Add your first member'],
  '/groups': ['No groups yet', 'Create your first group'],
  '/sites': ['No sites yet', 'Create your first site'],
  '/devices': ['No devices yet', 'Add your first device'],
  '/gadgets': ['No doors yet', 'Add your first door'],
  '/unlock-rules': ['No unlock rules yet', 'Create your first unlock rule'],
  '/emergencies': ['No plans yet', 'Create your first plan'],
  '/triggers': ['No triggers yet', 'Create your first trigger'],
  '/schedules': ['No schedules yet', 'Create your first schedule'],
  '/calendars': ['No calendars yet', 'Create your first calendar'],
  '/cards': ['No cards yet', 'Add your first card'],
  '/developers': ['No applications yet', 'Create your first application'],
} as const

/** One component draws the lists of the others, and `npm run soak` looks at all. */
const looked = /members|gadgets|emergencies|unlock-rules|developers/
const beginning = Object.entries(beginnings).filter(([path]) => isSoak || looked.test(path))

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let page: Page

  beforeAll(async () => {
    setting = await openSetting(null, { width })
    page = await setting.open('/nowhere')
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test.each(beginning)('%s says that it is empty and how to begin', async (path, said) => {
    const [title, action] = said
    await walk(page, setting, path)
    await page.getByRole('heading', { name: title }).waitFor()
    await checkPage(page, `empty${path.replace('/', '-')}-${width}`)
    await page.getByRole('button', { name: action }).click()
    await page.getByRole('dialog').getByRole('textbox').or(page.getByRole('combobox')).first().waitFor()
  })

  test('a form that needs a site says that there is none', async () => {
    await walk(page, setting, '/devices?new')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Site' }).click()
    await page.getByText('There is none yet. Create one first.').waitFor()
  })

  test.each([
    ['the overview', '/', 'overview'],
    ['the question who can open a door', '/groups/who', 'who'],
  ])('%s of an empty organization says what to make first', async (_, path, name) => {
    await walk(page, setting, path)
    await page.getByText('No doors yet').waitFor()
    await page.getByText('Create a site, add a device to it').waitFor()
    await page.getByRole('link', { name: 'Create your first site' }).waitFor()
    await checkPage(page, `empty-${name}-${width}`)
  })
})
