import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

/** What an organization says that has nothing yet, and the button with which it begins. */
const beginnings = {
  '/members': ['Nobody has access yet', 'Add the first member'],
  '/groups': ['There are no groups yet', 'Make the first group'],
  '/sites': ['There are no sites yet', 'Make the first site'],
  '/devices': ['There are no devices yet', 'Claim a device'],
  '/gadgets': ['There are no doors yet', 'Add a gadget'],
  '/triggers': ['There are no triggers yet', 'Make the first trigger'],
  '/schedules': ['There are no schedules yet', 'Make the first schedule'],
  '/cards': ['There are no cards yet', 'Add the first card'],
  '/developers': ['You have no application yet', 'Make the first one'],
} as const

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting

  beforeAll(async () => {
    setting = await openSetting(null, { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test.each(Object.entries(beginnings))('%s says that it is empty and how to begin', async (path, said) => {
    const [title, action] = said
    const page = await setting.open(path)
    await page.getByRole('heading', { name: title }).waitFor()
    await checkPage(page, `empty${path.replace('/', '-')}-${width}`)
    await page.getByRole('button', { name: action }).click()
    await page.getByRole('dialog').getByRole('textbox').or(page.getByRole('combobox')).first().waitFor()
    await page.close()
  })

  test('a form that needs a site says that there is none', async () => {
    const page = await setting.open('/devices?new')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Site' }).click()
    await page.getByText('There are no sites yet: make one first.').waitFor()
    await page.close()
  })

  test.each([
    ['the overview', '/', 'overview'],
    ['the question who can open a door', '/groups/who', 'who'],
  ])('%s of an empty organization says what to make first', async (_, path, name) => {
    const page = await setting.open(path)
    await page.getByText('There are no doors yet').waitFor()
    await page.getByText('Make a site, add a device to it, and give the device a gadget').waitFor()
    await page.getByRole('link', { name: 'Make the first site' }).waitFor()
    await checkPage(page, `empty-${name}-${width}`)
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })
})
