import type { FastifyInstance } from 'fastify'
import { networkOf } from '../network/networks.ts'
import { findLogo } from '../services/applications/applications.ts'
import { pathOf } from './kit/path-and-query.ts'
import { refuseWhenRecovered } from './kit/recovered.ts'
import { refuseInLane } from './kit/storage.ts'
import { showAccount, takeInvitation, takeOrganization } from './pages/account.ts'
import { addAssets } from './pages/assets.ts'
import { showAuthorize, takeAuthorize } from './pages/authorize.ts'
import { showDevice, takeDevice } from './pages/device.ts'
import { answerPageError } from './pages/error.ts'
import { showOutbox } from './pages/outbox.ts'
import { PageError } from './pages/page-error.ts'
import { beginPasskey, takePasskey } from './pages/passkey.ts'
import { showReset, takeReset, takeResetCode } from './pages/reset-password.ts'
import { showSecondStep, takeSecondStep } from './pages/second-step.ts'
import {
  showAuthenticator,
  takeAuthenticator,
  takeAuthenticatorRemoval,
  takeRecoveryCodes,
} from './pages/security/authenticator.ts'
import { showDeletion, takeDeletion } from './pages/security/delete.ts'
import { showEmail, takeEmail, takeEmailCode } from './pages/security/email.ts'
import { showSecurity, takeSessionEnd, takeSessionsEnd } from './pages/security/overview.ts'
import {
  beginPasskeyEnrolment,
  showPasskeys,
  takePasskeyEnrolment,
  takePasskeyRemoval,
} from './pages/security/passkeys.ts'
import { showPassword, takePassword } from './pages/security/password.ts'
import { showSignIn, takeSignIn, takeSignOut } from './pages/sign-in.ts'
import { openLink, takeLinkWish } from './pages/sign-in-link.ts'
import { showSignUp, takeSignUp, takeSignUpAgain, takeSignUpCode } from './pages/sign-up.ts'
import { openVisit, type Site, type Visit } from './pages/visit.ts'
import type { LaneName } from './turnstile/turnstile.ts'

type Handler = (visit: Visit) => void | Promise<void>

const pages: readonly (readonly ['GET' | 'POST', string, Handler])[] = [
  ['GET', '/sign-in', showSignIn],
  ['POST', '/sign-in', takeSignIn],
  ['GET', '/sign-in/link', openLink],
  ['POST', '/sign-in/link', takeLinkWish],
  ['POST', '/sign-in/passkey/options', beginPasskey],
  ['POST', '/sign-in/passkey', takePasskey],
  ['GET', '/sign-in/code', showSecondStep],
  ['POST', '/sign-in/code', takeSecondStep],
  ['POST', '/sign-out', takeSignOut],
  ['GET', '/sign-up', showSignUp],
  ['POST', '/sign-up', takeSignUp],
  ['POST', '/sign-up/again', takeSignUpAgain],
  ['POST', '/sign-up/code', takeSignUpCode],
  ['GET', '/reset-password', showReset],
  ['POST', '/reset-password', takeReset],
  ['POST', '/reset-password/code', takeResetCode],
  ['GET', '/authorize/:uid', showAuthorize],
  ['POST', '/authorize/:uid', takeAuthorize],
  ['GET', '/device', showDevice],
  ['POST', '/device', takeDevice],
  ['GET', '/account', showAccount],
  ['POST', '/organizations', takeOrganization],
  ['POST', '/invitations/:id', takeInvitation],
  ['GET', '/security', showSecurity],
  ['POST', '/security/sessions', takeSessionsEnd],
  ['POST', '/security/sessions/:id/end', takeSessionEnd],
  ['GET', '/security/email', showEmail],
  ['POST', '/security/email', takeEmail],
  ['POST', '/security/email/code', takeEmailCode],
  ['GET', '/security/password', showPassword],
  ['POST', '/security/password', takePassword],
  ['GET', '/security/passkeys', showPasskeys],
  ['POST', '/security/passkeys/options', beginPasskeyEnrolment],
  ['POST', '/security/passkeys', takePasskeyEnrolment],
  ['POST', '/security/passkeys/:id/remove', takePasskeyRemoval],
  ['GET', '/security/authenticator', showAuthenticator],
  ['POST', '/security/authenticator', takeAuthenticator],
  ['POST', '/security/authenticator/remove', takeAuthenticatorRemoval],
  ['POST', '/security/recovery-codes', takeRecoveryCodes],
  ['GET', '/security/delete', showDeletion],
  ['POST', '/security/delete', takeDeletion],
  ['GET', '/outbox', showOutbox],
]

/**
 * Routes that add to the database permanently. When the disk is nearly full, these are refused first;
 * sign-in, sign-out and security settings continue.
 */
const grows: ReadonlySet<string> = new Set([
  '/sign-up',
  '/sign-up/again',
  '/sign-up/code',
  '/organizations',
  '/authorize/:uid',
  '/device',
])

/** Adds the server-rendered pages, which work without scripts, in a scope that parses forms, not JSON. */
export function addPages(app: FastifyInstance, site: Site): void {
  app.register(async scope => {
    readForms(scope)
    scope.setErrorHandler((error, request, reply) => answerPageError(site.context, error, request, reply))
    addAssets(scope)
    addLogos(scope, site)
    for (const [method, url, handle] of pages)
      scope.route({
        method,
        url,
        handler: async (request, reply) => {
          if (method === 'POST' && !isSigning(url)) refuseWhenRecovered(site.context)
          if (method === 'POST') refuseInLane(site.context, grows.has(url) ? 'ordinary' : 'page', request.id)
          const network = networkOf(request.ip)
          site.limits?.take(method === 'POST' ? 'forms' : 'visitors', network)
          await site.turnstile.run(laneOf(method, url), network, 1, async () =>
            handle(await openVisit(site, request, reply)),
          )
          return reply
        },
      })
  })
}

/** Also a recovered service lets people in, to look. */
function isSigning(url: string): boolean {
  return url.startsWith('/sign-in') || url === '/sign-out'
}

function laneOf(method: string, url: string): LaneName {
  if (url === '/sign-out') return 'revocation'
  return method === 'POST' ? 'form' : 'page'
}

function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  const type = 'application/x-www-form-urlencoded'
  scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: 65_536 }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

function addLogos(scope: FastifyInstance, { context }: Site): void {
  scope.get('/applications/:id/logo', async (request, reply) => {
    const logo = await findLogo(context, pathOf(request).id ?? '')
    if (!logo) throw new PageError('error_not_found', 404)
    return reply
      .type(logo.type)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(logo.bytes)
  })
}
