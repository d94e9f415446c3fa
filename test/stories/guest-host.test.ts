import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireMembers } from '../../packages/server/src/jobs/expire-members.ts'
import { setLogo } from '../../packages/server/src/services/organizations/organization-life.ts'
import { serviceCaller } from '../../packages/server/src/store/caller.ts'
import { found, signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { Phone } from './guest.ts'
import { hotel } from './hotel.ts'

const pixels = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
]
const began = '2026-11-16T09:00:00Z'

let w: World
beforeAll(async () => {
  w = await world({ is_reachable: true })
  w.clock.set(began)
})
afterAll(() => w[Symbol.asyncDispose]())

interface Host {
  readonly home: {
    readonly organization: {
      readonly name: string
      readonly logo_url: string | null
      readonly color: string | null
      readonly colors: { readonly light: object; readonly dark: object } | null
    }
    readonly sites: readonly {
      readonly name: string
      readonly phone: string | null
      readonly check_in: string | null
    }[]
    readonly gadgets: readonly object[]
  }
}
interface Refused {
  readonly type: string
  readonly args: Record<string, string>
}

async function stayAt(name: string) {
  const tenant = await w.tenant(name)
  const { client } = tenant
  const house = await hotel(client)
  const [site] = (await client.sites.list({})).data
  await client.sites.edit(site?.id as string, {
    phone: '+34 910 000 000',
    email: 'desk@miramar.example',
    check_in: 'The desk closes at 22:00.',
  })
  const granted = (await client.grants.create({
    member: { name: 'Gabriela', ends_at: '2026-11-17T10:00:00Z' },
    member_group_ids: [house.room],
    credentials: { magic_link: true },
  } as never)) as never as { id: string; magic_links: { id: string; link: string }[] }
  const [link] = granted.magic_links
  return {
    client,
    organization_id: tenant.organization_id,
    site: site?.name as string,
    id: granted.id,
    link: link?.link as string,
    link_id: link?.id as string,
  }
}

test('a link that was revoked before tells nothing of the place', async () => {
  const { client, id, link, link_id } = await stayAt('Hotel Revoked')
  await client.member_magic_links.delete(id, link_id)
  await client.members.delete(id)
  const { status, body } = await new Phone(w).ask<Refused>('POST', '/sessions', {
    magic_link: link.split('#')[1] as string,
  })
  expect([status, body.args]).toEqual([403, { reason: 'member_deleted' }])
})

test('nothing of an erased member leads to a place', async () => {
  const { id, link } = await stayAt('Hotel Erased')
  await w.server.context.db.query(
    'UPDATE member_group_associations SET is_deleted = true WHERE member_id = $1',
    [id],
  )
  await w.server.context.db.query('UPDATE members SET is_deleted = true WHERE id = $1', [id])
  const { body } = await new Phone(w).ask<Refused>('POST', '/sessions', {
    magic_link: link.split('#')[1] as string,
  })
  expect(body.args).toEqual({ reason: 'member_deleted', organization: 'Hotel Erased' })
})

test('the color is checked, and comes as it can be read in light and dark', async () => {
  const { client, link } = await stayAt('Hotel Yellow')
  for (const color of ['yellow', '#fd0', '#12345g'])
    await expect(client.organization.edit({ color })).rejects.toMatchObject({ status: 400 })
  await client.organization.edit({ color: '#FFDD00' })
  const { body } = (await new Phone(w).enter(link)) as never as { body: Host }
  expect(body.home.organization).toMatchObject({ color: '#ffdd00', logo_url: null })
  expect(body.home.organization.colors).toMatchObject({
    light: { ink: '#000000' },
    dark: { accent: '#ffdd00' },
  })
})

async function hostOf(owner: Visitor, organization_id: string) {
  const asked = await owner.account<{ data: { id: string; logo_url: string | null }[] }>(
    'GET',
    '/account/organizations',
  )
  return asked.body.data.find(({ id }) => id === organization_id)
}

test('a logo has a URL that cannot be made up, and changes with the logo', async () => {
  const owner = await signUp(w, 'owner@example.com', 'Olivia')
  const organization_id = await found(owner, 'Hotel Logo')
  const set = (logo: string | null) =>
    owner.account('PATCH', `/account/organizations/${organization_id}`, { logo })
  const { context } = w.server
  const urlOf = async () => {
    const { logoUrl } = await import('../../packages/server/src/services/organizations/logos.ts')
    const [row] = await context.db.query<{ logo_hash: string | null }>(
      'SELECT logo_hash FROM organizations WHERE id = $1',
      [organization_id],
    )
    return row?.logo_hash
      ? logoUrl(context, organization_id, row.logo_hash).replace(/^https?:\/\/[^/]+/, w.url)
      : null
  }
  expect(await urlOf()).toBe(null)
  await set(`data:image/png;base64,${pixels[0]}`)
  const first = (await urlOf()) as string
  const answer = await fetch(first)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(answer.headers.get('cache-control')).toContain('max-age=86400')
  expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(pixels[0])
  await set(`data:image/png;base64,${pixels[1]}`)
  const second = (await urlOf()) as string
  expect(second).not.toBe(first)
  for (const bad of [
    first,
    second.slice(0, -2),
    second.replace(/\?.*/, ''),
    second.replace(/org_\w+/, 'org_00000000000000000000'),
  ])
    expect((await fetch(bad)).status).toBe(404)
  expect((await fetch(second)).status).toBe(200)
  const told = (await hostOf(owner, organization_id))?.logo_url
  expect(told?.replace(/^https?:\/\/[^/]+/, w.url)).toBe(second)
  await set(null)
  expect((await fetch(second)).status).toBe(404)
})

/** The last one: the clock does not go back. */
test('after its end a stay still says where it was; once it is deleted, to the right link and session', async () => {
  const { client, organization_id, site, link } = await stayAt('Hotel Miramar')
  await client.organization.edit({ color: '#ffdd00' })
  const { context } = w.server
  const logo = { type: 'image/png', bytes: Buffer.from(pixels[0] as string, 'base64') }
  await context.db.transaction(db =>
    setLogo({ context, db, caller: serviceCaller(organization_id), now: w.clock.now() }, logo),
  )
  const phone = new Phone(w)
  const entered = (await phone.enter(link)) as never as { status: number; body: Host }
  expect(entered.status).toBe(200)
  const { logo_url, colors } = entered.body.home.organization

  w.clock.set('2026-11-17T11:00:00Z')
  const { body } = await phone.ask<Host['home']>('GET', '/home')
  expect(body.gadgets).toEqual([])
  expect(body.sites).toMatchObject([
    { name: site, phone: '+34 910 000 000', check_in: 'The desk closes at 22:00.' },
  ])

  w.clock.set('2026-11-18T11:00:00Z')
  await expireMembers(w.server.context)
  const told = {
    status: 403,
    body: {
      type: 'permission_denied',
      args: {
        reason: 'member_deleted',
        ended_at: '2026-11-17T10:00:00.000000Z',
        organization: 'Hotel Miramar',
        logo_url,
        colors: JSON.stringify(colors),
        site,
        timezone: 'Europe/Madrid',
        phone: '+34 910 000 000',
        email: 'desk@miramar.example',
      },
    },
  }
  expect(await new Phone(w).enter(link)).toMatchObject(told)
  expect(await phone.ask('GET', '/home')).toMatchObject(told)
  expect(JSON.stringify(await new Phone(w).enter(link))).not.toContain('Gabriela')
  expect((await fetch(logo_url?.replace(/^https?:\/\/[^/]+/, w.url) as string)).status).toBe(200)
  const wrong = await new Phone(w).ask<Refused>('POST', '/sessions', {
    magic_link: `${(link.split('#')[1] as string).slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`,
  })
  expect([wrong.status, Object.keys(wrong.body.args)]).toEqual([401, ['reason']])
  const sites = (await client.sites.list({})).data
  await client.sites.edit(sites[0]?.id as string, { phone: null })
  const { args } = (await new Phone(w).ask<Refused>('GET', '/home')).body
  expect(args).not.toHaveProperty('site')
})
