import { createApplication, installApplication } from '@gatehouse-access/server'
import { isSoak } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { found, password, signUp } from '../oauth/people.ts'
import { clientAt, Installation } from '../recovery/installation.ts'
import { openBrowser } from './browser.ts'

const owned = new AsyncDisposableStack()
let url: string
let link: string
let is_failing = false

beforeAll(async () => {
  const there = owned.use(await Installation.open({ is_reachable: true }))
  const w = await there.start()
  const organization_id = await found(await signUp(w, 'owner@example.com'), 'Hotel Miramar')
  const { context } = w.server
  const oauth_application_id = await createApplication(context, context.db, 'Integration')
  await installApplication(context, context.db, organization_id, oauth_application_id, ['full_read_write'])
  const client = await clientAt(w, { organization_id, oauth_application_id } as never)
  const { id } = await client.members.create({ name: 'Guest' })
  link = (await client.member_magic_links.create(id, {})).link.replace(/.*\/guest/, '/guest')
  await there.stop()
  await there.mark()
  const { config, backup_health } = (await there.start()).server.context
  url = config.public_url
  const verified_at = new Date(Date.now() - 86_400_000).toISOString()
  backup_health.follow(() => ({ verified_at, is_failing }))
})
afterAll(() => owned.disposeAsync())

const said = 'restored from a backup'

test.runIf(isSoak)(
  'a recovered service says so to administrators and to guests, and the console tells of backups',
  async () => {
    const browser = await openBrowser()
    owned.defer(() => browser.close())
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${url}/sign-in?return_to=%2F`)
    expect(await page.getByRole('alert').textContent()).toContain(said)
    await page.getByLabel('Email').fill('owner@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Restored from a backup').waitFor()
    await page.getByText('Backups: verified yesterday').waitFor()
    is_failing = true
    await page.reload()
    await page.getByText('Backups fail. Ask the operator').waitFor()

    const phone = await (await browser.newContext({ locale: 'en-GB' })).newPage()
    await phone.goto(url + link)
    await phone.getByText(said).waitFor()
  },
)
