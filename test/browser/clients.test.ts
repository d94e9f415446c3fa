import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { soak, type World, world } from '@gatehouse-access/testkit'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import OAuth2Strategy from 'passport-oauth2'
import type { Browser } from 'playwright-core'
import { AuthorizationCode } from 'simple-oauth2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, found, password, register, signUp, statusOf } from '../oauth/people.ts'
import { openBrowser } from './browser.ts'
import { type Callback, openCallback } from './callback.ts'

let w: World
let browser: Browser
let callback: Callback
let app: Client
let url: string

const scope = 'full_read_write offline'
const run = promisify(execFile)

beforeAll(async () => {
  w = await world({ is_reachable: true })
  browser = await openBrowser()
  callback = await openCallback()
  const owner = await signUp(w, 'owner@example.com')
  url = owner.url
  await found(owner, 'First organization')
  await found(owner, 'Second organization')
  // Registered with another port, because loopback redirects match any port.
  app = await register(owner, { redirect_uris: ['http://localhost/callback'], name: 'Foreign client' })
})
afterAll(async () => {
  await browser.close()
  await callback[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

/** Performs the user's part: signs in, chooses the organization and grants access. */
async function dance(address: string | URL): Promise<URL> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(String(address))
  await page.getByLabel('Email').fill('owner@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Second organization').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  const end = await callback.next()
  await page.waitForURL(/\/callback/)
  await context.close()
  return end
}

async function expectAccess(access_token: string): Promise<void> {
  expect(await statusOf(url, access_token)).toBe(200)
  const answer = await fetch(`${url}/v2/organization`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  expect(await answer.json()).toMatchObject({ name: 'Second organization' })
}

test('openid-client', async () => {
  const options = { algorithm: 'oauth2' as const, execute: [client.allowInsecureRequests] }
  const config = await client.discovery(new URL(url), app.client_id, app.client_secret, undefined, options)
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: callback.redirect_uri,
    scope,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const tokens = await client.authorizationCodeGrant(config, await dance(address), {
    pkceCodeVerifier,
    expectedState,
  })
  await expectAccess(tokens.access_token)
  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  await expectAccess(next.access_token)
  await client.tokenRevocation(config, next.access_token)
  expect(await statusOf(url, next.access_token)).toBe(401)
})

soak('oauth4webapi', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(url)
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  const server = await oauth.processDiscoveryResponse(issuer, found)
  const me: oauth.Client = { client_id: app.client_id }
  const secret = oauth.ClientSecretBasic(app.client_secret)
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
  const address = new URL(server.authorization_endpoint ?? '')
  address.search = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: callback.redirect_uri,
    response_type: 'code',
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const params = oauth.validateAuthResponse(server, me, await dance(address), state)
  const { redirect_uri } = callback
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    me,
    secret,
    params,
    redirect_uri,
    verifier,
    insecure,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, me, answer)
  await expectAccess(tokens.access_token)
  const refreshed = await oauth.refreshTokenGrantRequest(
    server,
    me,
    secret,
    tokens.refresh_token ?? '',
    insecure,
  )
  await expectAccess((await oauth.processRefreshTokenResponse(server, me, refreshed)).access_token)
})

test('simple-oauth2', async () => {
  const { redirect_uri } = callback
  const flow = new AuthorizationCode({
    client: { id: app.client_id, secret: app.client_secret },
    auth: { tokenHost: url, tokenPath: '/oauth2/token', authorizePath: '/oauth2/auth' },
  })
  const end = await dance(flow.authorizeURL({ redirect_uri, scope, state: 'simple' }))
  expect(end.searchParams.get('state')).toBe('simple')
  const tokens = await flow.getToken({ code: end.searchParams.get('code') ?? '', redirect_uri })
  await expectAccess(String(tokens.token.access_token))
  const next = await tokens.refresh()
  await expectAccess(String(next.token.access_token))
})

soak('passport-oauth2', async () => {
  const options = {
    authorizationURL: `${url}/oauth2/auth`,
    tokenURL: `${url}/oauth2/token`,
    clientID: app.client_id,
    clientSecret: app.client_secret,
    callbackURL: callback.redirect_uri,
    scope: scope.split(' '),
    state: true as const,
    pkce: true as const,
  }
  const session = {}
  const step = (query: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const strategy = new OAuth2Strategy(
        options as never,
        (token: string, _refresh: string, _profile: object, done: (error: null, user: object) => void) =>
          done(null, { token }),
      )
      Object.assign(strategy, {
        redirect: resolve,
        success: (user: { token: string }) => resolve(user.token),
        fail: (info: object) => reject(new Error(JSON.stringify(info))),
        error: reject,
      })
      Object.assign(strategy, {
        userProfile: (_token: string, done: (error: null, profile: object) => void) => done(null, {}),
      })
      strategy.authenticate({ query, session, url: '/', headers: {}, connection: {} } as never, {})
    })
  const end = await dance(await step({}))
  await expectAccess(await step(Object.fromEntries(end.searchParams)))
})

test('curl, as in the specification', async () => {
  const state = randomBytes(16).toString('hex')
  const query = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: callback.redirect_uri,
    response_type: 'code',
    scope,
    state,
  })
  const end = await dance(`${url}/oauth2/auth?${query}`)
  expect(end.searchParams.get('state')).toBe(state)
  expect(end.searchParams.get('scope')).toBe(scope)
  const post = async (fields: Record<string, string>) => {
    const data = Object.entries(fields).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])
    const { stdout } = await run('curl', ['-sS', '--fail', `${url}/oauth2/token`, ...data])
    return JSON.parse(stdout) as Record<string, string | number>
  }
  const code = end.searchParams.get('code') ?? ''
  const tokens = await post({ grant_type: 'authorization_code', ...app, code })
  expect(tokens).toMatchObject({ expires_in: 3600, scope, token_type: 'bearer' })
  await expectAccess(String(tokens.access_token))
  const next = await post({
    grant_type: 'refresh_token',
    ...app,
    refresh_token: String(tokens.refresh_token),
  })
  expect(Object.keys(next).sort()).toEqual(Object.keys(tokens).sort())
  await expectAccess(String(next.access_token))
})
