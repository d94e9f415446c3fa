import type { Action, BodyOf, ParamsOf, QueryOf, Resource, ResourceKind, Resources } from '@gatehouse/api'
import type { Work } from './context.ts'
import type { Target } from './objects.ts'

/** What an action is given to work with. */
export interface ActionInput<R extends Resource = Resource, A extends Partial<Action> = Action> {
  readonly work: Work
  readonly target: Target<R>
  readonly id: string
  /** The parameters of the action's own path. */
  readonly ids: ParamsOf<A>
  /** The endpoint's own query parameters. */
  readonly query: QueryOf<A>
  /** Checks and answers the body; called after existence has been checked. */
  readBody(): BodyOf<A>
}

type ActionsOf<K extends ResourceKind> = NonNullable<Resources[K]['actions']>

/** What a declared action is given: as the declaration says. */
export type InputOf<K extends ResourceKind, Name extends keyof ActionsOf<K>> = ActionInput<
  Resources[K],
  ActionsOf<K>[Name] extends Action ? ActionsOf<K>[Name] : never
>
