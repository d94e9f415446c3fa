import { nullable, optional, type Part, type Parts, required } from '../kit/compounds.ts'
import type { Field, SliceForm } from '../kit/field.ts'
import type { OptionsOf, Resource, Value } from '../kit/resource.ts'
import { flag } from '../kit/scalars.ts'

type FieldsOf<R> = R extends { readonly fields: infer F } ? F : never
type RoleOf<R> = R extends { readonly policy?: infer P } ? P : never
type Flatten<T> = { [K in keyof T]: T[K] }

/** A row as the decision engine reads it. */
export type EngineRowOf<R> = R extends Resource
  ? Flatten<
      { id: string; is_deleted: boolean } & {
        [K in keyof FieldsOf<R> as OptionsOf<FieldsOf<R>[K]> extends { engine: true } ? K : never]: Value<
          FieldsOf<R>[K]
        >
      } & (RoleOf<R> extends { kind: infer Kind extends string } ? { kind: Kind } : unknown)
    >
  : never

type SlicePart<X> =
  OptionsOf<X> extends { slice: { part: infer P extends Part } }
    ? P
    : OptionsOf<X> extends { nullable: true }
      ? Part<NonNullable<Value<X>>, false, true>
      : Part<Value<X>, true, false>
type IsInSlice<X> = OptionsOf<X> extends { slice: true | SliceForm } ? true : false

/** The parts of a slice row. */
export type SliceParts<R> = Flatten<
  { id: Part<string, true, false>; is_deleted: Part<boolean, false, false> } & {
    [K in keyof FieldsOf<R> as IsInSlice<FieldsOf<R>[K]> extends true ? K : never]: SlicePart<FieldsOf<R>[K]>
  }
>

type Made<X> = OptionsOf<X> extends { slice: { make: (value: never) => infer V } } ? V : Value<X>
/** The values that a slice needs of an object, independent of the device. */
export type SliceValuesOf<R> = Flatten<
  { readonly id: string } & {
    readonly [K in keyof FieldsOf<R> as IsInSlice<FieldsOf<R>[K]> extends true
      ? null extends Made<FieldsOf<R>[K]>
        ? never
        : K
      : never]: Made<FieldsOf<R>[K]>
  } & {
    readonly [K in keyof FieldsOf<R> as IsInSlice<FieldsOf<R>[K]> extends true
      ? null extends Made<FieldsOf<R>[K]>
        ? K
        : never
      : never]?: NonNullable<Made<FieldsOf<R>[K]>>
  }
>

type Named = readonly [string, Field]

/** Returns the fields that the engine reads, in addition to the id and `is_deleted`. */
export function engineFields({ fields }: Resource): Named[] {
  return Object.entries(fields).filter(([, field]) => field.engine)
}

const carried = new WeakMap<Resource, readonly Named[]>()

/** Returns the fields that slices contain, in order. */
export function sliceFields(resource: Resource): readonly Named[] {
  const known = carried.get(resource)
  if (known) return known
  const { fields, policy } = resource
  const names = new Set([...(policy?.first ?? []), ...Object.keys(fields)])
  const found = [...names].flatMap(name => {
    const field = fields[name]
    return field && isCarried(field) ? [[name, field] as const] : []
  })
  carried.set(resource, found)
  return found
}

function isCarried({ slice }: Field): boolean {
  return slice !== undefined && slice !== 'hashed'
}

/** Returns the columns that a slice is built from, in addition to the id. */
export function sliceColumns(resource: Resource): string[] {
  return sliceFields(resource).flatMap(([name, field]) => field.from ?? [name])
}

/** Whether devices need any of its data. */
export function concernsDevices({ fields, policy }: Resource): boolean {
  return policy?.lives_with !== undefined || Object.values(fields).some(({ slice }) => slice)
}

const read = new WeakMap<Resource, readonly string[]>()

/**
 * Whether a change of these columns affects the policy. Other columns change no decision and no slice, so the
 * object is not reloaded.
 */
export function touchesPolicy(resource: Resource, changes: object): boolean {
  return policyColumns(resource).some(name => name in changes)
}

function policyColumns(resource: Resource): readonly string[] {
  const known = read.get(resource)
  if (known) return known
  const fields = Object.entries(resource.fields).filter(([, { engine, slice }]) => engine || slice)
  const { ends_with, sends = [] } = resource.policy ?? {}
  const named = fields.flatMap(([name, field]) => field.from ?? [name])
  const columns = ['is_deleted', ...(ends_with ? [ends_with] : []), ...sends, ...named]
  read.set(resource, columns)
  return columns
}

type Identified = Resource & { readonly fields: { readonly id: Field } }

/** Always omitted so far: only living rows are sent. */
const living = {
  is_deleted: optional(flag, 'Defaults to false. The service sends only rows that are not deleted.'),
}

export function sliceParts<R extends Identified>(resource: R, id: string): SliceParts<R> {
  const parts = sliceFields(resource).map(([name, field]) => [name, slicePart(field)] as const)
  return {
    id: required(resource.fields.id.type, id),
    ...Object.fromEntries(parts),
    ...living,
  } as Parts as SliceParts<R>
}

function slicePart({ slice, type, about, nullable: isNullable }: Field): Part {
  if (typeof slice === 'object') return slice.part
  return isNullable ? nullable(type, about) : required(type, about)
}

/** Returns the values that a slice needs of a row with `sliceColumns`. Null values are omitted. */
export function sliceValues<R extends Resource>(
  resource: R,
  row: Readonly<Record<string, unknown>>,
): SliceValuesOf<R> {
  const values: Record<string, unknown> = { id: row.id }
  for (const [name, field] of sliceFields(resource)) {
    const value = made(field, field.derive ? field.derive(row) : row[name])
    if (value !== null) values[name] = value
  }
  return values as SliceValuesOf<R>
}

function made({ slice }: Field, value: unknown): unknown {
  return value !== null && typeof slice === 'object' && slice.make ? slice.make(value as never) : value
}
