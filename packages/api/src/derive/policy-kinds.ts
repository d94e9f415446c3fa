import type { Resource } from '../kit/resource.ts'
import type { Kind } from '../prefixes.ts'
import { type Resources, resources } from '../resources/index.ts'
import { concernsDevices, type EngineRowOf, type SliceValuesOf } from './policy.ts'

/** The resources whose rows the engine and slices call by a name. */
type Named<Name extends string> = Extract<
  Resources[keyof Resources],
  { readonly policy?: { readonly rows: Name } }
>
export type EngineRow<Name extends string> = EngineRowOf<Named<Name>>
export type SliceValues<Name extends string> = SliceValuesOf<Named<Name>>

/** Every kind of object that decisions or devices know of. */
export const policyResources: readonly Resource[] = Object.values<Resource>(resources).filter(
  ({ policy }) => policy,
)

/** What an object of the policy lives with: the field that names it, and its kind. */
export function companionOf({ fields, policy }: Resource): { field: string; kind: Kind } | undefined {
  const field = policy?.lives_with
  const kind = field && fields[field]?.type.target
  return kind ? { field, kind } : undefined
}

/** What devices need of an organization beside its members, by the kind of object. */
export const placeResources = new Map<string, Resource>(
  policyResources
    .filter(
      resource => resource.kind !== 'member' && resource.parent !== 'member' && concernsDevices(resource),
    )
    .map(resource => [resource.kind, resource]),
)

const ofMembers = policyResources.filter(({ kind, parent }) => kind === 'member' || parent === 'member')

/** What devices need of a member: itself and what it has. */
export const sentOfMembers = ofMembers.filter(concernsDevices)

/** What members fetch passes with. */
export const passCarriers = ofMembers.filter(({ policy }) => policy?.carries_passes)
