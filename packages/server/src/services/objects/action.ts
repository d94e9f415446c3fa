import type {
  Action,
  BodyOf,
  ParamsOf,
  QueryOf,
  Resource,
  ResourceKind,
  Resources,
} from '@gatehouse-access/api'
import type { Work } from './context.ts'
import type { Target } from './objects.ts'

/** The input of an action. */
export interface ActionInput<R extends Resource = Resource, A extends Partial<Action> = Action> {
  readonly work: Work
  readonly target: Target<R>
  readonly id: string
  /** The parameters of the action's own path. */
  readonly ids: ParamsOf<A>
  /** The endpoint's own query parameters. */
  readonly query: QueryOf<A>
  /** Validates and returns the body. Call it after checking that the object exists. */
  readBody(): BodyOf<A>
}

type ActionsOf<K extends ResourceKind> = NonNullable<Resources[K]['actions']>

/** The input of a declared action, typed by its declaration. */
export type InputOf<K extends ResourceKind, Name extends keyof ActionsOf<K>> = ActionInput<
  Resources[K],
  ActionsOf<K>[Name] extends Action ? ActionsOf<K>[Name] : never
>
