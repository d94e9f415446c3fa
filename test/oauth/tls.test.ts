import { startServer } from '@gatehouse-access/server'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { found, register, signUp } from './people.ts'

test('behind TLS cookies are secure, HSTS is sent, and forwarded headers of clients name nothing', async () => {
  await using w = await world({ is_reachable: true })
  const owner = await signUp(w, 'owner@example.com')
  await found(owner)
  const { client_id } = await register(owner)
  const public_url = 'https://gatehouse.example'
  const config = { ...w.server.context.config, public_url, port: 0 }
  await using server = await startServer(config, { clock: w.clock, jobs: false })
  const forged = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  }

  const page = await fetch(`${server.url}/sign-in`, { headers: forged })
  expect(page.headers.get('strict-transport-security')).toContain('max-age=')
  expect(page.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-gatehouse_form=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ])

  const redirect_uri = 'https://client.example/callback'
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'full_read_only',
    state: 's',
  })
  const begun = await fetch(`${server.url}/oauth2/auth?${query}`, { headers: forged, redirect: 'manual' })
  expect(begun.status).toBe(303)
  expect(begun.headers.getSetCookie().length).toBeGreaterThan(0)
  for (const cookie of begun.headers.getSetCookie()) expect(cookie).toMatch(/secure/i)
  const metadata = await fetch(`${server.url}/.well-known/oauth-authorization-server`, { headers: forged })
  expect(await metadata.text()).not.toContain('evil.example')
  const interaction = await fetch(new URL(begun.headers.get('location') ?? '', server.url), {
    redirect: 'manual',
  })
  expect(interaction.status).toBe(400)
})

test('API and pages tell browsers not to sniff, frame or keep anything', async () => {
  await using w = await world()
  for (const path of ['/v2/members', '/sign-in', '/account/session', '/healthz', '/oauth2/auth']) {
    const { headers } = await fetch(`${w.url}${path}`)
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
    if (path !== '/v2/members') expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY'])
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
  }
})
