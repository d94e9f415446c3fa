import { soak } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { authorize, codeOf, register } from '../../oauth/people.ts'
import { png } from './png.ts'
import { checkPage, faultsOf, openPage, openSetting, type Setting, signedIn, widthsFor } from './setting.ts'

describe.each(widthsFor('desktop'))('on a %s', width => {
  let setting: Setting
  let client_id: string

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    client_id = (await register(setting.visitor, { name: 'Front desk' })).client_id
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  soak('a logo is uploaded, made smaller, shown where users are asked, and taken away', async () => {
    const page = await setting.open(`/developers/applications/${client_id}`)
    const input = page.locator('input[type=file]')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.harmed=true"/>')
    await input.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: svg })
    await page.getByText('Choose a PNG, JPEG or WebP image.').waitFor()
    await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: svg })
    await page.getByText('cannot read this file as an image').waitFor()

    const large = noise(900, 600)
    expect(large.length).toBeGreaterThan(1_000_000)
    await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: large })
    await page.getByRole('button', { name: 'Remove' }).waitFor()
    const source = `/applications/${client_id}/logo`
    const sizeOf = () =>
      page.locator(`img[src^="${source}"]`).evaluate(image => {
        const { naturalWidth, naturalHeight } = image as HTMLImageElement
        return [naturalWidth, naturalHeight]
      })
    await expect.poll(sizeOf).toEqual([256, 171])
    await checkPage(page, `application-logo-${width}`)
    const stored = await fetch(`${setting.url}${source}`)
    expect((await stored.arrayBuffer()).byteLength).toBeLessThanOrEqual(100_000)

    const { organization_id } = setting
    const query = new URLSearchParams({
      client_id,
      response_type: 'code',
      redirect_uri: 'https://client.example/callback',
      scope: 'full_read_only',
    })
    const context = await signedIn(setting.browser, setting.visitor)
    const asked = await openPage(context, `${setting.url}/oauth2/auth?${query}`, width)
    await asked.locator(`img[src="${source}"]`).waitFor()
    expect(faultsOf(asked)).toEqual([])
    await context.close()

    codeOf(await authorize(setting.visitor, { client_id, organization_id }))
    const installed = await setting.open('/applications')
    await installed.locator(`img[src^="${source}"]`).waitFor()
    await checkPage(installed, `applications-logo-${width}`)
    await installed.close()

    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    await expect.poll(async () => (await fetch(`${setting.url}${source}`)).status).toBe(404)
    await page.close()
  })
})

/** Returns a PNG that does not compress. */
function noise(width: number, height: number): Buffer {
  let seed = 1
  const next = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return seed >>> 24
  }
  return png(width, height, () => [next(), next(), next()])
}
