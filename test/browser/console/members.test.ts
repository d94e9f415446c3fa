import { readFile } from 'node:fs/promises'
import { soak, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobTypes } from '../../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../../packages/server/src/services/jobs/run-jobs.ts'
import { checkLooks, checkPage, faultsOf, openSetting, type Setting, widthsFor } from './setting.ts'

describe.each(widthsFor('phone'))('on a %s', width => {
  let setting: Setting
  let guest: string
  let cleaner: string

  beforeAll(async () => {
    setting = await openSetting('hotel', { width })
    guest = (await setting.client.members.list({ q: 'R-1001' })).data[0]?.id as string
    cleaner = (await setting.client.members.list({ q: 'Cleaning team' })).data[0]?.id as string
  })
  afterAll(() => setting[Symbol.asyncDispose]())

  test('list, member and import pass axe in every look', within(120), async () => {
    await checkLooks(setting, '/members', 'members')
    await checkLooks(setting, `/members/${guest}`, 'member')
    await checkLooks(setting, '/members/import', 'import')
  })

  soak('the service searches while one types, and the address keeps it', async () => {
    const page = await setting.open('/members')
    await page.getByRole('link', { name: 'Night manager' }).waitFor()
    await page.getByRole('searchbox').pressSequentially('clean', { delay: 20 })
    await page.getByRole('link', { name: 'Night manager' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Cleaning team' }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('clean')
    await page.reload()
    await page.getByRole('link', { name: 'Cleaning team' }).waitFor()
    await page.getByRole('searchbox').fill('nobody like that')
    await page.getByText('No results for').waitFor()
    await page.close()
  })

  test('a member is added with group, link and PIN', async () => {
    const page = await setting.open('/members?new')
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Ana García')
    await form.getByLabel('Groups').click()
    await page.getByRole('option', { name: 'Madrid guests' }).click()
    await page.keyboard.press('Escape')
    await form.getByLabel('Create a PIN').check()
    await checkPage(page, `new-member-${width}`)
    await form.getByRole('button', { name: 'Add member' }).click()
    await page.getByRole('heading', { name: 'Ana García' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) as string
    const member = await setting.client.members.get<Record<string, unknown[]>>(id, {
      expand: ['pins', 'magic_links', 'group_associations'],
    })
    expect([member.pins?.length, member.magic_links?.length, member.group_associations?.length]).toEqual([
      1, 1, 1,
    ])
    await page.close()
  })

  soak('a PIN is revealed after a note, and that is recorded', async () => {
    const page = await setting.open(`/members/${cleaner}`)
    await page.getByRole('button', { name: /^Reveal PIN/ }).click()
    await page.getByText('Revealing is recorded').waitFor()
    await checkPage(page, `reveal-${width}`)
    await page.getByRole('button', { name: 'Reveal and record' }).click()
    const pin = await page.locator('.secret-pin').textContent()
    expect(pin).toMatch(/^\d{8}$/)
    const { data } = await setting.client.events.list({ verb: 'reveal' })
    expect(data[0]).toMatchObject({
      object: { type: 'member_pin', member_id: cleaner },
      subject: { user_id: expect.any(String) },
    })
    await page.close()
  })

  soak(
    'a link is made and shown as QR code; credentials are deleted with undo, links after a question',
    async () => {
      const page = await setting.open(`/members/${cleaner}`)
      const credentials = page.getByRole('region', { name: 'Credentials' })
      await credentials.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('menuitem', { name: 'Link' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
      await page.getByRole('img', { name: 'QR code for the link' }).waitFor()
      await checkPage(page, `link-${width}`)
      await expect.poll(() => page.locator('.secret').textContent()).toMatch(/\/guest#mml_/)
      await page.keyboard.press('Escape')
      await credentials.getByRole('button', { name: 'Delete 8-digit PIN' }).click()
      await credentials.getByText('8-digit PIN').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await credentials.getByText('8-digit PIN').waitFor()
      await credentials.getByRole('button', { name: 'Delete Link' }).click()
      await page.getByText('cannot be restored').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await credentials.getByText('Link', { exact: true }).waitFor({ state: 'detached' })
      expect(faultsOf(page)).toEqual([])
      await page.close()
    },
  )

  soak('an email, a card and a token are added; the token is shown this once', async () => {
    const { id } = await setting.client.members.create({ name: 'Many keys' })
    const page = await setting.open(`/members/${id}`)
    const credentials = page.getByRole('region', { name: 'Credentials' })
    const form = page.getByRole('dialog')
    const add = async (kind: string) => {
      await credentials.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('menuitem', { name: kind }).click()
    }
    await add('Email')
    await form.getByLabel('Email').fill('keys@example.com')
    await form.getByRole('button', { name: 'Add' }).click()
    await credentials.getByText('keys@example.com').waitFor()
    await add('Card')
    await form.getByLabel('Or UID').fill('04A1B2C3D4E5F7')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => credentials.getByText('04A1B2C3D4E5F7').count()).toBe(1)
    await add('Token')
    await form.getByRole('button', { name: 'Add' }).click()
    await form.getByText('This is shown only once').waitFor()
    await checkPage(page, `token-${width}`)
    const token = (await page.locator('.secret').textContent()) ?? ''
    expect(token).toMatch(/^ghm_/)
    await page.keyboard.press('Escape')
    await credentials.getByText('Mobile SDK token').waitFor()
    await expect.poll(() => page.content()).not.toContain(token)
    await page.close()
  })

  soak('a wrong PIN is refused at its field, with what is wrong', async () => {
    const page = await setting.open(`/members/${cleaner}`)
    await page.getByRole('region', { name: 'Credentials' }).getByRole('button', { name: 'Add' }).click()
    await page.getByRole('menuitem', { name: 'PIN' }).click()
    await page.getByLabel('Or set the PIN yourself').fill('12ab')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page
      .getByRole('dialog')
      .getByText(/4 to 20 digits/)
      .waitFor()
    await page.getByText(/Request req_/).waitFor()
    await page.close()
  })

  test('why can’t she open this: rule by rule, with the next time', async () => {
    const pool = (await setting.client.gadgets.list({ q: 'Pool' })).data[0]?.id as string
    const page = await setting.open(`/members/${cleaner}?gadget=${pool}`)
    const why = page.getByRole('region', { name: /Can this member open/ })
    await why.getByText('No. This way of opening is not allowed.').waitFor()
    await why.getByText('can use everything at').waitFor()
    await expect
      .poll(() => why.getByRole('listitem').first().textContent())
      .toContain('This way of opening is not allowed.')
    await why.getByLabel('Method').click()
    await page.getByRole('option', { name: 'card' }).click()
    await why.getByLabel('Time (now)', { exact: true }).fill('2026-11-21T12:00')
    await why
      .getByText(
        /No. Access is not allowed at this time. At the door it .* \(Europe\/Madrid time\). Access would next be allowed on Monday,? 23 Nov 2026(,| at) 08:00/,
      )
      .waitFor()
    await checkPage(page, `why-${width}`)
    await why.getByLabel('Time', { exact: true }).fill('2026-11-23T12:00')
    await why.getByText('Yes, the door would open').waitFor()
    await page.close()
  })

  soak('groups are joined and left, with undo', async () => {
    const page = await setting.open(`/members/${guest}`)
    const groups = page.getByRole('region', { name: 'Groups' })
    await groups.getByRole('button', { name: 'Add' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Group').click()
    await page.getByRole('option', { name: 'Staff' }).click()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await groups.getByRole('link', { name: 'Staff' }).waitFor()
    await groups.getByRole('button', { name: 'Remove from Staff' }).click()
    await groups.getByRole('link', { name: 'Staff' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await groups.getByRole('link', { name: 'Staff' }).waitFor()
    await page.close()
  })

  test('a member is edited, deleted, brought back by undo, and found among the deleted', async () => {
    const { id } = await setting.client.members.create({ name: 'Short stay' })
    const page = await setting.open(`/members/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Longer stay')
    await page.getByRole('dialog').getByLabel('Until', { exact: true }).fill('2030-01-01T11:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Longer stay' }).waitFor()
    await expect.poll(async () => (await setting.client.members.get(id)).ends_at).toMatch(/^2030-01-01T/)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForURL(/\/members$/)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('“Longer stay” restored').waitFor()
    await expect.poll(async () => (await setting.client.members.get(id)).is_deleted).toBe(false)
    await setting.client.members.delete(id)
    if (width === 'phone') await page.getByRole('button', { name: /^Filters/ }).click()
    await page.getByRole('combobox', { name: 'Show' }).click()
    await page.getByRole('option', { name: 'Deleted' }).click()
    await page.getByRole('link', { name: 'Longer stay' }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await page.close()
  })

  soak('the timeline shows when a member has access, within its groups', async () => {
    const { client } = setting
    const group = (await client.member_groups.list({ q: 'Staff' })).data[0]?.id as string
    const { id } = await client.members.create({
      name: 'Summer help',
      starts_at: '2026-06-01T10:00:00Z',
      ends_at: '2027-09-01T10:00:00Z',
    })
    await client.member_group_associations.create(id, {
      member_group_id: group,
      ends_at: '2027-07-01T10:00:00Z',
    })
    const page = await setting.open(`/members/${id}`)
    const timeline = page.getByRole('region', { name: 'Access period' }).getByRole('img')
    await expect
      .poll(() => timeline.getAttribute('aria-label'))
      .toMatch(/^Member: from 1 Jun 2026.*, until 1 Sept? 2027.*; Staff: no start date, until 1 Jul 2027/)
    await expect.poll(() => timeline.locator('.timeline-bar').count()).toBe(2)
    await page.close()
  })

  soak('a guest is invited by mail in its language, and again', async () => {
    const page = await setting.open(`/members/${guest}`)
    for (const turn of [1, 2]) {
      await page.getByRole('button', { name: 'Invite' }).click()
      await page.getByText('Sent to guest1@example.com').waitFor()
      await page.getByRole('combobox', { name: 'Language' }).click()
      await page.getByRole('option', { name: 'Spanish' }).click()
      await page.getByRole('button', { name: 'Send invitation' }).click()
      await page.getByText('Invitation sent').first().waitFor()
      const { data } = await setting.client.events.list({ 'object.type': 'invitation' })
      expect(data).toHaveLength(turn)
      await page.reload()
    }
    await page.close()
  })

  const csv = `external_id;Nachname;Gruppen;gültig ab;gültig bis;E-Mail;floor
R-1;"García, Ana";Madrid guests;2026-12-01 15:00;2026-12-05 11:00;ana@example.com;3
R-2;Bad Group;Nowhere;;;;
R-3;Bad Dates;;2026-12-05 11:00;2026-12-01 15:00;;
R-4;Refused;;;;broken@;
R-5;Plain;;;;;
`

  soak('a CSV file is matched, checked, imported while one is elsewhere, and undone', async () => {
    await using _ = new JobRunner(setting.world.server.context, jobTypes)
    const page = await setting.open('/members/import')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByText('Say what this column means: floor').waitFor()
    expect(await page.getByRole('button', { name: 'Check members' }).isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Meaning of floor' }).click()
    await page.getByRole('option', { name: 'Metadata “floor”' }).click()
    await checkPage(page, `import-columns-${width}`)
    await page.getByRole('button', { name: 'Check members' }).click()
    await page.getByText('5 rows, 3 with problems, which will be left out').waitFor()
    await page.getByText('No group is named "Nowhere"').waitFor()
    await page.getByText('is not after the start').waitFor()
    await page.getByText('"broken@" is not an email address').waitFor()
    await page.getByText(/1 new member would have no end/).waitFor()
    await checkPage(page, `import-preview-${width}`)
    expect((await setting.client.members.list({ q: 'García, Ana' })).data).toEqual([])
    await page.getByRole('button', { name: 'Import 2 members' }).click()
    await page.getByText(/^2 imported, 3 refused/).waitFor()
    const [ana] = (await setting.client.members.list({ q: 'García, Ana' })).data
    expect(ana).toMatchObject({ external_id: 'R-1', metadata: { floor: '3' } })
    await page.getByRole('button', { name: /^Undo until/ }).click()
    await page.getByText('Import undone').waitFor()
    await expect.poll(async () => (await setting.client.members.list({ q: 'García, Ana' })).data).toEqual([])
    expect(faultsOf(page)).toEqual([])
    await page.close()
  })

  test('members are exported', async () => {
    const page = await setting.open('/members')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    expect(text).toMatch(/^id,external_id,name,email,groups,starts_at,ends_at,/)
    expect(text).toContain('Night manager')
    expect(text).toContain('guest1@example.com')
    await page.close()
  })
})
