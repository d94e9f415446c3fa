import type { Kind } from '../prefixes.ts'
import { type Metadata, type MetadataChange, metadata, metadataChange, type Part } from './compounds.ts'
import type { PersonalClass } from './personal.ts'
import { flag, nameText, reference, timestamp } from './scalars.ts'
import type { Type } from './type.ts'

type Row = Record<string, unknown>

export interface FieldOptions {
  readonly about: string
  readonly example?: unknown
  /** Whether a create accepts the field. When omitted, the service sets it. */
  readonly create?: 'required' | 'optional'
  readonly edit?: boolean
  readonly nullable?: boolean
  /** The value that a create stores when the body omits the field; null when not given. */
  readonly initial?: unknown
  /** Null is a value of its own, not the same as omitted, although there is an initial value. */
  readonly keeps_null?: true
  readonly sort?: boolean
  readonly filter?: 'equal' | 'compare' | 'has_all'
  /** Accepted in bodies, never returned. */
  readonly body_only?: boolean
  /** Its class as personal data. Texts, JSON and bytes have to say; see `personalOf`. */
  readonly personal?: PersonalClass | null
  /** Stored, never returned: internal data of the services. */
  readonly hidden?: boolean
  /** Computed from the row when it is returned. Has no column. */
  readonly derive?: (row: Row) => unknown
  /** The columns that `derive` reads. */
  readonly from?: readonly string[]
  /** The field whose value this one repeats under a second name. Has no column. */
  readonly alias?: string
  /** Converts the stored value for responses, where it differs. */
  render?(value: unknown): unknown
  /** Read from the object that `field` refers to. */
  readonly through?: { readonly field: string; readonly kind: Kind; readonly column: string }
  /** The type that an edit accepts, where it differs from the value's own. */
  readonly change?: Type<unknown>
  /** The type of the value in responses, for the documents, where bodies take another. */
  readonly shown?: Type<unknown>
  /** The decision engine reads this field. */
  readonly engine?: true
  /** Devices need this field. `hashed`: they get a hash of it under their own key. */
  readonly slice?: true | 'hashed' | SliceForm
}

/** How slices contain a field, where that differs from API responses. */
export interface SliceForm {
  // biome-ignore lint/suspicious/noExplicitAny: parts are invariant in their value, and any is the only common bound
  readonly part: Part<any>
  /** Converts the stored value. Null omits the field. */
  readonly make?: (value: never) => unknown
}

export interface Field<Value = unknown, Options extends FieldOptions = FieldOptions, Change = Value>
  extends FieldOptions {
  readonly type: Type<Value>
  readonly options: Options
  /** Carries the type that an edit accepts. Never set at runtime. */
  readonly takes?: Change
}

export function field<Value, const Options extends FieldOptions>(
  type: Type<Value>,
  options: Options,
): Field<Options extends { nullable: true } ? Value | null : Value, Options> {
  return { ...options, type, options } as never
}

/** The first fields of every object that belongs to an organization. */
export function identity<const K extends Kind>(kind: K) {
  return {
    id: field(reference(kind), {
      about: `Unique identifier of the ${kind.replaceAll('_', ' ')}.`,
      sort: true,
    }),
    organization_id: field(reference('organization'), { about: 'The organization it belongs to.' }),
  }
}

/** The last fields of every object that can be deleted. */
export function lifecycle() {
  return {
    is_deleted: field(flag, { about: 'True if it was deleted.', edit: true, initial: false }),
    created_at: field(timestamp, { about: 'When it was created.', sort: true, filter: 'compare' }),
  }
}

export function metadataField() {
  const options = {
    about: 'String keys and values attached by the client, at most 1024 bytes in total.',
    example: { source: 'pms', sourceID: 'R-1001' },
    create: 'optional',
    edit: true,
    initial: {},
    personal: 'free',
    change: metadataChange as Type<unknown>,
  } as const
  return field(metadata, options) as unknown as Field<Metadata, typeof options, MetadataChange>
}

export function nameField<const Options extends Partial<FieldOptions>>(options: Options) {
  const all = { about: 'Display name.', edit: true, sort: true, personal: 'free', ...options }
  return field(nameText, all) as Field<
    Options extends { nullable: true } ? string | null : string,
    Options & { about: string; edit: true; sort: true }
  >
}
