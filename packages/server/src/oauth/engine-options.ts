import type { Configuration } from 'oidc-provider'
import type { Limits } from '../http/kit/limits.ts'

export interface EngineOptions {
  readonly limits: Limits | undefined
  /** Shows the user an error that cannot safely be sent to the application. */
  readonly renderError: NonNullable<Configuration['renderError']>
}
