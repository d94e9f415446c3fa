import { RequestError } from '../errors.ts'
import type { ExpandTree } from '../kit/expand.ts'
import type { Resource } from '../kit/resource.ts'
import { resourceOf } from '../resources/index.ts'

const empty: ExpandTree = Object.freeze({})

/**
 * Parses the `expand` parameter into a tree. A name can contain dots itself (`permissions.site`), so each
 * step takes the declared expand that the rest starts with.
 */
export function parseExpand(resource: Resource, names: readonly string[]): ExpandTree {
  if (names.length === 0) return empty
  const tree = {}
  for (const name of names) addPath(tree, resource, name, name, resource.kind)
  return tree
}

type Growing = { [name: string]: Growing }

function addPath(tree: Growing, resource: Resource, rest: string, whole: string, root: string): void {
  if (resource.absent_expands?.includes(rest)) return
  const step = Object.keys(resource.expands).find(name => rest === name || rest.startsWith(`${name}.`))
  const expand = step === undefined ? undefined : resource.expands[step]
  if (step === undefined || !expand) throw invalidExpand(whole, root)
  tree[step] ??= {}
  const left = rest.slice(step.length + 1)
  if (rest.length === step.length) return
  if (left === '') throw invalidExpand(whole, root)
  addPath(tree[step], resourceOf(expand.kind), left, whole, root)
}

function invalidExpand(name: string, object: string): RequestError {
  const shown = name.length > 200 ? `${name.slice(0, 200)}…` : name
  return new RequestError(
    'invalid_request',
    `Invalid expand '${shown.toWellFormed()}' for object '${object}'`,
    {
      args: { field: 'expand' },
    },
  )
}
