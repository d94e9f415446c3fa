import type { Provider } from 'oidc-provider'
import { once } from '../flow/once.ts'
import type { Context } from '../services/objects/context.ts'
import type { EngineOptions } from './engine-options.ts'

/** The OAuth 2.0 engine, loaded on first use: serving only the API saves its 50 MB. */
export type Engine = () => Promise<Provider>

export const loadEngine = () => import('./provider.ts')

export function openEngine(context: Context, options: EngineOptions): Engine {
  return once(async () => (await loadEngine()).createProvider(context, options))
}
