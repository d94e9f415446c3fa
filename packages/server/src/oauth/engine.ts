import type Provider from 'oidc-provider'
import type { Context } from '../context.ts'

/** The engine of OAuth 2.0, loaded when first asked for: answering the API alone does without its 50 MB. */
export type Engine = () => Promise<Provider>

export function openEngine(context: Context): Engine {
  let loaded: Promise<Provider> | undefined
  return () => {
    loaded ??= import('./provider.ts').then(({ createProvider }) => createProvider(context))
    return loaded
  }
}
