import type { Kind } from '../prefixes.ts'
import type { Metadata, MetadataChange, Parts, Shape } from './compounds.ts'
import { type Expand, one } from './expand.ts'
import type { Field } from './field.ts'
import type { Type, ValueOf } from './type.ts'

export type Verb = 'list' | 'get' | 'create' | 'edit' | 'delete'
export type Scope = 'read' | 'write'

// biome-ignore lint/suspicious/noExplicitAny: fields are invariant in their value, and any is the only common bound
export type Fields = { readonly [name: string]: Field<any, any, any> }

/** Something that can be done beside the five verbs; its handler is a service of the same name. */
export interface Action {
  readonly method: 'POST' | 'DELETE' | 'GET'
  /** `command`: reaches hardware; `query`: changes nothing. */
  readonly does?: 'command' | 'query'
  /** Added to the path of one object, or of the collection when `on` says so. */
  readonly path: string
  readonly on?: 'collection'
  readonly about: string
  readonly scope: Scope
  /** Parameters of its own path, beside the ids of the objects. */
  readonly params?: { readonly [name: string]: Type<string> }
  readonly body?: Parts
  readonly query?: { readonly [name: string]: QueryParameter }
  /** `object`: the object itself; `revealed`: with its secrets; a page of another kind; or a type of its own. */
  readonly answer: 'object' | 'revealed' | PageOf | Type<unknown>
}

/** A page of objects that are computed, not stored. */
export interface PageOf {
  readonly page_of: string
}

export interface QueryParameter {
  readonly type: Type<unknown>
  readonly about: string
}

/** A filter that is no plain field of the object. */
export interface ExtraFilter {
  readonly type: Type<unknown>
  readonly about: string
  readonly operator: 'equal' | 'compare'
  /** The dotted path of the value inside the object. */
  readonly path?: string
  /** The objects that have a child of this kind whose field holds the value, compared in lower case. */
  readonly through?: { readonly kind: Kind; readonly column: string }
}

export type Actions = { readonly [name: string]: Action }

export interface Resource<
  F extends Fields = Fields,
  R extends Fields = Fields,
  P extends PolicyRole = PolicyRole,
  A extends Actions = Actions,
> {
  readonly kind: Kind | 'product' | 'member_access' | 'gadget_access'
  readonly plural: string
  readonly table: string
  readonly path: string
  readonly about: string
  readonly fields: F
  /** Secrets that only the answers to a create and to a reveal carry. */
  readonly reveals?: R
  readonly verbs: readonly Verb[]
  readonly parent?: Kind
  readonly singleton?: boolean
  /** What `q` looks at; a kind instead of fields means: that object's fields. */
  readonly search?: { readonly fields: readonly string[]; readonly through?: Kind }
  readonly filters?: { readonly [name: string]: ExtraFilter }
  /** Keys of metadata that can be sorted by. */
  readonly metadata_sorts?: readonly string[]
  readonly expands: { readonly [name: string]: Expand }
  /** Expands that clients of the specification may ask for, of objects that this service does not have. */
  readonly absent_expands?: readonly string[]
  readonly actions?: A
  /** Seen and managed only by the application that created it, also with a read-only token. */
  readonly owned_by_application?: boolean
  /** False: a deleted one stays deleted. */
  readonly restorable?: boolean
  /** Kinds that live inside it: deleting it needs them gone, or `cascade=true`. */
  readonly children?: readonly Kind[]
  /** Fields of an older version and what replaced them. */
  readonly removed_fields?: { readonly [name: string]: string }
  /** False: changes are no events of their own (events, products). */
  readonly logged?: boolean
  readonly policy?: P
}

/** What a client sees of a resource in its type: the names of its methods and what they are given. */
type Surface = Pick<Resource, 'kind' | 'plural' | 'verbs' | 'parent' | 'singleton'>

/** What an object is to decisions and devices. Which of its fields matter to them, its fields say. */
export interface PolicyRole {
  /** What the engine and slices call its rows. */
  readonly rows: string
  /** What tells it apart where several kinds go by one name. */
  readonly kind?: string
  /** Fields that slices carry first, whatever their order in answers. */
  readonly first?: readonly string[]
  /** The field that names what it lives with: it counts as deleted when that is. */
  readonly lives_with?: string
  /** Devices are told of deleted ones: passes that were fetched with them no longer count. */
  readonly carries_passes?: true
}

export function resource<
  const F extends Fields,
  const R extends Fields = Record<never, never>,
  const P extends PolicyRole = PolicyRole,
  const A extends Actions = Record<never, never>,
  const S extends Surface = Surface,
>(
  declaration: Omit<Resource<F, R, P, A>, 'table' | 'expands' | keyof Surface> & {
    table?: string
    expands?: { [name: string]: Expand }
  } & S,
): Resource<F, R, P, A> & Pick<S, keyof Surface & keyof S> {
  const organization: { [name: string]: Expand } =
    'organization_id' in declaration.fields ? { organization: one('organization') } : {}
  return { table: declaration.plural, ...declaration, expands: { ...organization, ...declaration.expands } }
}

type Flatten<T> = { [K in keyof T]: T[K] }
export type Value<X> = X extends Field<infer V, infer _O, infer _C> ? V : never
type Change<X> = X extends Field<infer _V, infer _O, infer C> ? C : never
export type OptionsOf<X> = X extends Field<infer _V, infer O, infer _C> ? O : never
type Answered<X> = OptionsOf<X> extends { body_only: true } | { hidden: true } ? false : true
type OnCreate<X> = OptionsOf<X> extends { create: infer C } ? C : 'never'
type OnEdit<X> = OptionsOf<X> extends { edit: true } ? true : false

/** An object as the API answers it. */
export type ObjectOf<R> =
  R extends Resource<infer F, infer _>
    ? Flatten<{ [K in keyof F as Answered<F[K]> extends true ? K : never]: Value<F[K]> }>
    : never
export type RevealedOf<R> =
  R extends Resource<infer _, infer S> ? Flatten<ObjectOf<R> & { [K in keyof S]: Value<S[K]> }> : never
export type CreateOf<R> =
  R extends Resource<infer F, infer _>
    ? string extends keyof F
      ? AnyChanges
      : Flatten<
          { [K in keyof F as OnCreate<F[K]> extends 'required' ? K : never]: Value<F[K]> } & {
            [K in keyof F as OnCreate<F[K]> extends 'optional' ? K : never]?: Value<F[K]>
          }
        >
    : never
export type EditOf<R> =
  R extends Resource<infer F, infer _>
    ? string extends keyof F
      ? AnyEdit
      : Flatten<{ [K in keyof F as OnEdit<F[K]> extends true ? K : never]?: Change<F[K]> }>
    : never

type IsColumn<X> =
  OptionsOf<X> extends { body_only: true } | { derive: unknown } | { through: unknown } | { alias: string }
    ? false
    : true
/** Of code that works on any resource. */
type IsAny<R extends Resource> = string extends keyof R['fields'] ? true : false
type AnyValues = Record<string, unknown>

/** What is alike in the objects of all kinds that have it. */
export interface AnyObject {
  readonly [name: string]: unknown
  readonly id: string
  readonly is_deleted?: boolean
  readonly tag_ids?: readonly string[]
  readonly metadata?: Metadata
}
export type AnyChanges = Partial<AnyObject>
/** Metadata is merged key by key; null clears it. */
export interface AnyEdit {
  readonly [name: string]: unknown
  readonly is_deleted?: boolean
  readonly tag_ids?: readonly string[]
  readonly metadata?: MetadataChange | null
}

/** The columns that are stored but never answered. */
export type HiddenOf<R extends Resource> = {
  [K in keyof R['fields']]: OptionsOf<R['fields'][K]> extends { hidden: true } ? K : never
}[keyof R['fields']]

/** Every column of a resource by its name, hidden ones too. */
export type ColumnsOf<R extends Resource> =
  IsAny<R> extends true
    ? AnyObject
    : {
        [K in keyof R['fields'] as IsColumn<R['fields'][K]> extends true ? K : never]: Value<R['fields'][K]>
      }

/** What the store reads of an object: what is answered, and those hidden columns that were asked for by name. */
export type StoredOf<R extends Resource, Hidden extends HiddenOf<R> = never> =
  IsAny<R> extends true
    ? AnyObject
    : {
        [K in keyof R['fields'] as Answered<R['fields'][K]> extends true ? K : K & Hidden]: Value<
          R['fields'][K]
        >
      }

/** Columns of an object that change. */
export type ChangesOf<R extends Resource> = Partial<ColumnsOf<R>>

type IsSet<X> =
  OptionsOf<X> extends { initial: unknown }
    ? true
    : OptionsOf<X> extends { create: 'optional' } | { hidden: true }
      ? false
      : true

/** A new object before it is stored: what its kind has yet to decide is null. */
export type NewOf<R extends Resource> =
  IsAny<R> extends true
    ? AnyObject
    : {
        [K in keyof ColumnsOf<R>]:
          | ColumnsOf<R>[K]
          | (K extends 'id' ? never : IsSet<R['fields'][K & string]> extends true ? never : null)
      } & GivenOf<R>

/** What a create takes that is no column. */
type GivenOf<R extends Resource> = {
  [K in keyof R['fields'] as IsColumn<R['fields'][K]> extends true
    ? never
    : OnCreate<R['fields'][K]> extends 'never'
      ? never
      : K]?: Value<R['fields'][K]>
}

/** The secrets that only the answers to a create and to a reveal carry. */
export type SecretsOf<R extends Resource> =
  IsAny<R> extends true
    ? AnyValues
    : { [K in keyof NonNullable<R['reveals']>]: Value<NonNullable<R['reveals']>[K]> }

/** What an action takes: the parts of its body, the parameters of its path and of its query. */
export type BodyOf<A extends Partial<Action>> = A extends { body: infer P extends Parts }
  ? Shape<P>
  : AnyValues
export type ParamsOf<A extends Partial<Action>> = A extends { params: infer P }
  ? { readonly [K in keyof P]: string }
  : Record<never, never>
export type QueryOf<A extends Partial<Action>> = A extends { query: infer Q }
  ? { readonly [K in keyof Q]?: Q[K] extends QueryParameter ? ValueOf<Q[K]['type']> : never }
  : Record<never, never>
