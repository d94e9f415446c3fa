import { objectTypes, verbs } from '@gatehouse-access/api'
import { spoken, t } from '../../language/t.ts'

export type Rule = { readonly [name: string]: string | null }

export const ruleTypes = objectTypes
export const ruleVerbs = verbs

const verbWords: Record<string, string> = spoken({
  create: 'created',
  edit: 'changed',
  delete: 'deleted',
  use: 'used',
  reveal: 'revealed',
})

/** Returns the rule in words, such as `gadget action used`, followed by any further conditions. */
export function ruleWords(rule: Rule): string {
  const { object_type, 'object.type': spelled, verb, ...rest } = rule
  const type = (object_type ?? spelled ?? '').replaceAll('_', ' ')
  const more = Object.entries(rest).map(([name, value]) => t(` with ${name} ${value}`))
  return `${type} ${verb ? (verbWords[verb] ?? verb) : t('changed in any way')}${more.join('')}`
}
