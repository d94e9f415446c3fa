import type { Resource } from '../kit/resource.ts'
import type { Kind } from '../prefixes.ts'
import { type Resources, resources } from '../resources/index.ts'
import { concernsDevices, type EngineRowOf, type SliceValuesOf } from './policy.ts'

/** The resources whose rows have this name in the engine and in slices. */
type Named<Name extends string> = Extract<
  Resources[keyof Resources],
  { readonly policy?: { readonly rows: Name } }
>
export type EngineRow<Name extends string> = EngineRowOf<Named<Name>>
export type SliceValues<Name extends string> = SliceValuesOf<Named<Name>>

/** The resources that affect decisions or devices. */
export const policyResources: readonly Resource[] = Object.values<Resource>(resources).filter(
  ({ policy }) => policy,
)

/** Returns the field and the kind of the object that this one lives with, if any. */
export function companionOf({ fields, policy }: Resource): { field: string; kind: Kind } | undefined {
  const field = policy?.lives_with
  const kind = field && fields[field]?.type.target
  return kind ? { field, kind } : undefined
}

/** The resources, other than members and what belongs to them, that devices need, by kind. */
export const placeResources = new Map<string, Resource>(
  policyResources
    .filter(
      resource => resource.kind !== 'member' && resource.parent !== 'member' && concernsDevices(resource),
    )
    .map(resource => [resource.kind, resource]),
)

const ofMembers = policyResources.filter(({ kind, parent }) => kind === 'member' || parent === 'member')

/** The resources that devices need of a member: itself and what belongs to it. */
export const sentOfMembers = ofMembers.filter(concernsDevices)

/** The credentials with which members fetch passes. */
export const passCarriers = ofMembers.filter(({ policy }) => policy?.carries_passes)
