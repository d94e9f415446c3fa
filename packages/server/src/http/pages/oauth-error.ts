import type { Configuration } from 'oidc-provider'
import type { Texts } from '../../texts/english.ts'
import { voiceOf } from '../../texts/language.ts'
import { languageFor } from '../browser/chosen-language.ts'
import { contentPolicy } from './answer.ts'
import { errorPage } from './error.ts'
import { renderPage } from './layout.ts'

const keys: Record<string, keyof Texts> = {
  invalid_client: 'error_invalid_client',
  invalid_redirect_uri: 'error_invalid_redirect_uri',
  server_error: 'error_server_error',
}

/** Shows the user an error that cannot safely be sent to the application. */
export const renderOauthError: NonNullable<Configuration['renderError']> = (ctx, out, error) => {
  const voice = voiceOf(languageFor(ctx.req.headers))
  const key = error.name === 'SessionNotFound' ? 'error_session_not_found' : keys[out.error]
  const details = [out.error, out.error_description].filter(text => text).join(': ')
  ctx.type = 'html'
  ctx.set('content-security-policy', contentPolicy())
  const may_work = ctx.method === 'GET' && key === 'error_server_error'
  ctx.body = renderPage(voice, errorPage(voice, key ?? 'error_invalid_request', { details, may_work }))
}
