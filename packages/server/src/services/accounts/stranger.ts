import type { Voice } from '../../texts/language.ts'
import type { Context } from '../objects/context.ts'

/** Somebody who is not signed in. */
export interface Stranger {
  readonly context: Context
  readonly voice: Voice
  /** Of the browser: a code works only where it was asked for. */
  readonly form_token: string
}

/** What strangers can ask for has connections of its own, so that they keep nobody else waiting. */
export function forStrangers<C extends Pick<Context, 'db' | 'sign_in_db'>>(context: C): C {
  return { ...context, db: context.sign_in_db }
}
