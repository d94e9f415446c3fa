import type { Configuration } from 'oidc-provider'
import type { Limits } from '../http/kit/limits.ts'

export interface EngineOptions {
  readonly limits: Limits | undefined
  /** Tells a person what cannot safely be told to the application. */
  readonly renderError: NonNullable<Configuration['renderError']>
}
