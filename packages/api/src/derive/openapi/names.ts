import type { Endpoint } from '../../endpoints.ts'
import type { Resource } from '../../kit/resource.ts'
import { spell, withArticle } from '../../kit/words.ts'

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the section title of a resource: `Member emails`. */
export function tagOf(resource: Resource): string {
  return capitalize(spell(resource.singleton ? resource.kind : resource.plural))
}

const actionTitles: Readonly<Record<string, string>> = {
  'access_check.create': 'Check access',
  'bulk.create': 'Run many operations at once',
  'bulk.edit': 'Change many members alike',
  'grant.create': 'Grant access in one call',
  'member.invite': 'Email an invitation',
}

/** Returns the title of an endpoint, which no other has: `List member emails`, `Member: history`. */
export function titleOf({ id, verb, resource }: Endpoint): string {
  const [kind = '', name = ''] = id.split('.')
  if (verb === 'list') return `List ${spell(resource.plural)}`
  if (['create', 'get', 'edit', 'delete'].includes(verb))
    return `${capitalize(verb)} ${resource.singleton ? 'the' : ''}${noun(resource)}`
  return actionTitles[id] ?? `${capitalize(spell(kind))}: ${spell(name)}`
}

function noun(resource: Resource): string {
  return resource.singleton ? ` ${spell(resource.kind)}` : withArticle(spell(resource.kind))
}
