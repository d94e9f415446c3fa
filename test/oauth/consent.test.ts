import { readFileSync } from 'node:fs'
import { doorTemplates, type LimitedScope, limitedScopes } from '@gatehouse-access/api'
import { type Client as ApiClient, createClient } from '@gatehouse-access/sdk'
import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from './client-of.ts'
import { authorize, type Client, callback, codeOf, exchange, signUp } from './people.ts'
import { openStage } from './stage.ts'
import type { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let viewer: Visitor
let client: Client
let url: string
let gadget_id: string

beforeAll(async () => {
  const stage = await openStage()
  ;({ w, owner, client, url } = stage)
  viewer = await signUp(w, 'viewer@example.com')
  const invitation = { email: 'viewer@example.com', role: 'viewer' }
  await owner.account('POST', `/account/organizations/${stage.organization_id}/invitations`, invitation)
  const { body } = await viewer.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await viewer.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  const api = await clientOf(owner, stage.organization_id)
  const site = await api.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const device = await api.devices.create({ name: 'Lobby', site_id: site.id, product_id: 'controller' })
  const door = { device_id: device.id, ...structuredClone(doorTemplates.holdable) }
  gadget_id = (await api.gadgets.create({ name: 'Front door', ...door })).id
})
afterAll(() => w[Symbol.asyncDispose]())

const all = limitedScopes.join(' ')

/** Opens the page that asks for consent, and leaves it undecided. */
async function openConsent(visitor: Visitor, scope: string): Promise<string> {
  const { client_id } = client
  const query = { client_id, redirect_uri: callback, response_type: 'code', scope, state: 's' }
  await visitor.get(`/oauth2/auth?${new URLSearchParams(query)}`)
  await visitor.follow()
  return visitor.text
}

/** What the page says that the application will be able to do. */
function termsOf(page: string): string[] {
  const [, listed = ''] = /<ul class="scopes">([\s\S]*?)<\/ul>/.exec(page) ?? []
  return [...listed.matchAll(/<li>(.*?)<\/li>/g)].map(([, words = '']) => words)
}

async function tokenFor(visitor: Visitor, scope: string) {
  const end = await authorize(visitor, { ...client, scope })
  return (await exchange(url, client, codeOf(end))).body
}

test.each([
  [
    'en',
    [
      'See and change members, their PINs, cards, links and groups',
      'See members, their cards and groups, without secrets',
      'See devices and doors, and change their settings',
      'See everything that happened, as it happens',
      'See doors and open them',
    ],
  ],
  [
    'de',
    [
      'Mitglieder, ihre PINs, Karten, Links und Gruppen sehen und ändern',
      'Mitglieder, ihre Karten und Gruppen sehen, ohne Geheimnisse',
      'Geräte und Türen sehen und ihre Einstellungen ändern',
      'alles sehen, was geschieht und geschehen ist',
      'Türen sehen und öffnen',
    ],
  ],
])('the page names each scope in words, in the language %s', async (language, words) => {
  owner.cookies.set('gatehouse_language', language)
  const page = await openConsent(owner, all)
  expect(page).toContain(`<html lang="${language}">`)
  expect(termsOf(page)).toEqual(words)
  for (const [index, scope] of limitedScopes.entries())
    expect(termsOf(await openConsent(owner, scope))).toEqual([words[index]])
  owner.cookies.delete('gatehouse_language')
})

test.each([
  ['de', 'in der Konsole unter „Anwendungen“', 'Anwendungen'],
  ['es', 'en la consola, en «Aplicaciones»', 'Aplicaciones'],
  ['fr', 'dans la console, sous « Applications »', 'Applications'],
])(
  'the page calls the screen for revoking as the console does, in the language %s',
  async (language, words, screen) => {
    const texts = new URL(`../../packages/web/console/texts/${language}.json`, import.meta.url)
    expect(JSON.parse(readFileSync(texts, 'utf8'))).toMatchObject({ Applications: screen })
    owner.cookies.set('gatehouse_language', language)
    expect(await openConsent(owner, all)).toContain(words)
    owner.cookies.delete('gatehouse_language')
  },
)

/** For each scope, something that it is for and something that comes close. */
const reach: Record<LimitedScope, readonly [Attempt, Attempt]> = {
  members: [api => api.members.create({ name: 'Ana' }), api => api.devices.list()],
  'members:read': [api => api.members.list(), api => api.members.create({ name: 'Ana' })],
  devices: [
    api => api.gadgets.edit(gadget_id, { name: 'Main door' }),
    api => api.gadgets.run_action(gadget_id, 'open'),
  ],
  'events:read': [api => api.events.list(), api => api.members.list()],
  actions: [
    api => api.gadgets.run_action(gadget_id, 'open'),
    api => api.gadgets.edit(gadget_id, { name: 'Main door' }),
  ],
}
type Attempt = (api: ApiClient) => Promise<unknown>

describe('a token', () => {
  // The same application has been allowed everything first: what one token may do is nothing to another.
  beforeAll(async () => {
    expect((await tokenFor(owner, all)).scope.split(' ').sort()).toEqual([...limitedScopes].sort())
  })

  test.each(limitedScopes)('has exactly the scope %s that was allowed', async scope => {
    const { access_token: token, scope: given, refresh_token } = await tokenFor(owner, scope)
    expect([given, refresh_token]).toEqual([scope, undefined])
    const api = createClient({ base_url: `${url}/v2`, token, retries: 0 })
    const [allowed, refused] = reach[scope]
    await allowed(api)
    await expect(refused(api)).rejects.toMatchObject({ status: 403, args: { reason: 'scope_too_small' } })
  })
})

test.each(['members', 'devices', 'actions'])('a viewer cannot grant %s', async scope => {
  const page = await openConsent(viewer, scope)
  expect(page).toContain('As a viewer, you cannot give this application the access it asks for.')
  expect(page).toContain('Ask an owner or an administrator to allow it.')
  expect(page).toMatch(/<button [^>]*value="deny">Back to /)
  expect([termsOf(page), page.includes('value="allow"')]).toEqual([[], false])
  const end = await authorize(viewer, { ...client, scope })
  expect([end.searchParams.get('error'), end.searchParams.get('code')]).toEqual(['access_denied', null])
})

test('of several scopes, a viewer grants those that read, and is told which are left out', async () => {
  const page = await openConsent(viewer, all)
  expect(termsOf(page)).toEqual([
    'See members, their cards and groups, without secrets',
    'See everything that happened, as it happens',
  ])
  expect(page.match(/Not granted, because your role does not allow it: [^<]+/g)).toEqual([
    expect.stringContaining('See and change members'),
    expect.stringContaining('See devices and doors, and change'),
    expect.stringContaining('See doors and open them'),
  ])
  const { access_token: token, scope } = await tokenFor(viewer, all)
  expect(scope.split(' ').sort()).toEqual(['events:read', 'members:read'])
  const api = createClient({ base_url: `${url}/v2`, token, retries: 0 })
  expect((await api.members.list()).data).toEqual(expect.any(Array))
  await expect(api.gadgets.run_action(gadget_id, 'open')).rejects.toMatchObject({ status: 403 })
})
