import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting
  beforeAll(async () => {
    setting = await openSetting(null, { width })
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('access ends at once, also from a computer whose clock is ten minutes ahead', async () => {
    const { client } = setting
    const { id } = await client.members.create({ name: 'Ana' })
    const page = await setting.open(`/members/${id}`)
    await page.clock.setSystemTime(Date.now() + 600_000)
    await page.getByRole('button', { name: 'End now' }).click()
    await page.getByText('The access of Ana has ended').waitFor()
    const { ends_at } = await client.members.get(id)
    expect(Date.parse(ends_at ?? '')).toBeLessThanOrEqual(Date.now())
    await page.close()
  })
})
