import type { Kind } from '../prefixes.ts'
import type { Metadata, MetadataChange, Parts, Shape } from './compounds.ts'
import { type Expand, one } from './expand.ts'
import type { Field } from './field.ts'
import type { Type, ValueOf } from './type.ts'

export type Verb = 'list' | 'get' | 'create' | 'edit' | 'delete'
export type Scope = 'read' | 'write'

// biome-ignore lint/suspicious/noExplicitAny: fields are invariant in their value, and any is the only common bound
export type Fields = { readonly [name: string]: Field<any, any, any> }

/** An operation in addition to the five verbs. Its handler is a service of the same name. */
export interface Action {
  readonly method: 'POST' | 'DELETE' | 'GET'
  /** `command`: reaches hardware. `query`: changes nothing. */
  readonly does?: 'command' | 'query'
  /** Appended to the path of one object, or to that of the collection if `on` is set. */
  readonly path: string
  readonly on?: 'collection'
  readonly about: string
  readonly scope: Scope
  /** The scope that is enough with `dry_run=true`. */
  readonly dry_run_scope?: Scope
  /** The most bytes of its body, where the usual limit is too small. */
  readonly largest_body?: number
  readonly bulk?: InBulk
  /** Its own path parameters, in addition to the ids of the objects. */
  readonly params?: { readonly [name: string]: Type<string> }
  readonly body?: Parts
  readonly query?: { readonly [name: string]: QueryParameter }
  /** `object`: the object itself; `revealed`: with its secrets; a page of another kind; or its own type. */
  readonly answer: 'object' | 'revealed' | PageOf | Type<unknown>
}

/** `never`: no bulk can contain it. `not_atomic`: it does what no transaction can take back. */
export type InBulk = 'never' | 'not_atomic'

/** A page of objects that are computed, not stored. */
export interface PageOf {
  readonly page_of: string
}

export interface QueryParameter {
  readonly type: Type<unknown>
  readonly is_required?: boolean
  readonly about: string
}

/** A filter that does not correspond to a plain field of the object. */
export interface ExtraFilter {
  readonly type: Type<unknown>
  readonly about: string
  readonly operator: 'equal' | 'compare'
  /** The dotted path of the value inside the object. */
  readonly path?: string
  /** The value is a list of objects. Matches if one of them has the asked value under this key. */
  readonly each?: string
  /**
   * Matches objects that have a child of this kind whose column holds the value, compared in lower case. With a `path`,
   * objects that name there the parent of such a child, or such an object itself if its kind has no parent.
   */
  readonly through?: Through
  /** `null` asks for objects without a value. */
  readonly or_none?: true
  /** Its SQL is in the server's `store/computed-filters.ts`. */
  readonly computed?: true
}

export interface Through {
  readonly kind: Kind
  /** If it holds a list, one of its values is asked for. */
  readonly column: string
  /** The object is no parent of the child: a member who is has it as this. */
  readonly held_as?: 'member_card'
  /** The value is a site, and the column holds a group: one with rules that reach a door of the site. */
  readonly reaches?: 'site'
}

export type Actions = { readonly [name: string]: Action }

export interface Resource<
  F extends Fields = Fields,
  R extends Fields = Fields,
  P extends PolicyRole = PolicyRole,
  A extends Actions = Actions,
> {
  readonly kind: Kind | 'product' | 'member_access' | 'gadget_access' | 'emergency_door'
  readonly plural: string
  readonly table: string
  readonly path: string
  readonly about: string
  readonly fields: F
  /** Secrets that only the responses to create and reveal contain. */
  readonly reveals?: R
  readonly verbs: readonly Verb[]
  readonly parent?: Kind
  readonly singleton?: boolean
  /**
   * The fields that `q` searches. With `through`, the field that refers to the object of that kind, which is
   * searched instead.
   */
  readonly search?: { readonly fields: readonly string[]; readonly through?: Kind }
  readonly filters?: { readonly [name: string]: ExtraFilter }
  /** The sort of lists that ask for none, newest first. Defaults to `created_at`. */
  readonly usual_sort?: string
  /** Metadata keys that lists can be sorted by. */
  readonly metadata_sorts?: readonly string[]
  readonly expands: { readonly [name: string]: Expand }
  /** Expands of the specification for objects that this service does not have. They are ignored. */
  readonly absent_expands?: readonly string[]
  readonly actions?: A
  /** Only the application that created it can see and manage it, even with a read-only token. */
  readonly owned_by_application?: boolean
  /** An application sees only those that it made: `created_by.oauth_application_id`. Users see all. */
  readonly private_to_application?: boolean
  /** False: a deleted object cannot be restored. */
  readonly restorable?: boolean
  /** Kinds contained in it. It can be deleted only once they are gone, or with `cascade=true`. */
  readonly children?: readonly Kind[]
  /** Fields of an older version, with what replaced them. */
  readonly removed_fields?: { readonly [name: string]: string }
  /** False: changes do not create events (events, products). */
  readonly logged?: boolean
  readonly policy?: P
}

/** The literal types that the client needs: the names of its methods and their arguments. */
type Surface = Pick<Resource, 'kind' | 'plural' | 'verbs' | 'parent' | 'singleton'>

/** The role of an object in decisions and on devices. Its fields declare which of them matter. */
export interface PolicyRole {
  /** The name of its rows in the engine and in slices. */
  readonly rows: string
  /** Distinguishes kinds that share a row name. */
  readonly kind?: string
  /** Fields that come first in slices, whatever their order in responses. */
  readonly first?: readonly string[]
  /** The field that refers to the object it lives with. It counts as deleted when that object is deleted. */
  readonly lives_with?: string
  /** The field that says when it ended. From then on it counts as deleted. */
  readonly ends_with?: string
  /** Fields that devices are sent in rows that are not derived from the declaration. */
  readonly sends?: readonly string[]
  /** Devices are told about deletions, which invalidate the passes fetched with the object. */
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

/** An object as the API returns it. */
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
/** True for code that is generic over resources. */
type IsAny<R extends Resource> = string extends keyof R['fields'] ? true : false
type AnyValues = Record<string, unknown>

/** The fields that objects have in common, where their kind has them. */
export interface AnyObject {
  readonly [name: string]: unknown
  readonly id: string
  readonly is_deleted?: boolean
  readonly tag_ids?: readonly string[]
  readonly metadata?: Metadata
}
export type AnyChanges = Partial<AnyObject>
/** Metadata is merged key by key. Null clears it. */
export interface AnyEdit {
  readonly [name: string]: unknown
  readonly is_deleted?: boolean
  readonly tag_ids?: readonly string[]
  readonly metadata?: MetadataChange | null
}

/** The columns that are stored but never returned. */
export type HiddenOf<R extends Resource> = {
  [K in keyof R['fields']]: OptionsOf<R['fields'][K]> extends { hidden: true } ? K : never
}[keyof R['fields']]

/** Every column of a resource by name, including hidden ones. */
export type ColumnsOf<R extends Resource> =
  IsAny<R> extends true
    ? AnyObject
    : {
        [K in keyof R['fields'] as IsColumn<R['fields'][K]> extends true ? K : never]: Value<R['fields'][K]>
      }

/** What the store reads of an object: the returned fields, and hidden columns requested by name. */
export type StoredOf<R extends Resource, Hidden extends HiddenOf<R> = never> =
  IsAny<R> extends true
    ? AnyObject
    : {
        [K in keyof R['fields'] as Answered<R['fields'][K]> extends true ? K : K & Hidden]: Value<
          R['fields'][K]
        >
      }

export type ChangesOf<R extends Resource> = Partial<ColumnsOf<R>>

type IsSet<X> =
  OptionsOf<X> extends { initial: unknown }
    ? true
    : OptionsOf<X> extends { create: 'optional' } | { hidden: true }
      ? false
      : true

/** A new object before it is stored. Values that its kind has yet to determine are null. */
export type NewOf<R extends Resource> =
  IsAny<R> extends true
    ? AnyObject
    : {
        [K in keyof ColumnsOf<R>]:
          | ColumnsOf<R>[K]
          | (K extends 'id' ? never : IsSet<R['fields'][K & string]> extends true ? never : null)
      } & GivenOf<R>

/** The fields that a create accepts but that are not columns. */
type GivenOf<R extends Resource> = {
  [K in keyof R['fields'] as IsColumn<R['fields'][K]> extends true
    ? never
    : OnCreate<R['fields'][K]> extends 'never'
      ? never
      : K]?: Value<R['fields'][K]>
}

/** The fields that an edit accepts but that are not columns. */
export type SentOf<R extends Resource> =
  IsAny<R> extends true
    ? AnyValues
    : {
        [K in keyof R['fields'] as IsColumn<R['fields'][K]> extends true
          ? never
          : OnEdit<R['fields'][K]> extends true
            ? K
            : never]?: Value<R['fields'][K]>
      }

/** The secrets that only the responses to create and reveal contain. */
export type SecretsOf<R extends Resource> =
  IsAny<R> extends true
    ? AnyValues
    : { [K in keyof NonNullable<R['reveals']>]: Value<NonNullable<R['reveals']>[K]> }

/** The input of an action: its body, its path parameters and its query parameters. */
export type BodyOf<A extends Partial<Action>> = A extends { body: infer P extends Parts }
  ? Shape<P>
  : AnyValues
export type ParamsOf<A extends Partial<Action>> = A extends { params: infer P }
  ? { readonly [K in keyof P]: string }
  : Record<never, never>
export type QueryOf<A extends Partial<Action>> = A extends { query: infer Q }
  ? { readonly [K in keyof Q]?: Q[K] extends QueryParameter ? ValueOf<Q[K]['type']> : never }
  : Record<never, never>
