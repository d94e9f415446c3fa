import type { Problem } from './weekdays.ts'

export interface InputRule {
  code: string
  gadget_id: string
  action_id: string
}

/**
 * No code may be a prefix of another. The empty code of the default rule is exempt, although it is a prefix
 * of every code, but then every other code must start with `*` or `#`.
 */
export function findInputRuleProblem(rules: readonly InputRule[]): Problem | undefined {
  const hasDefault = rules.some(rule => rule.code === '')
  for (const [index, { code }] of rules.entries()) {
    const field = `input_rules.${index}.code`
    if (hasDefault && /^[0-9]/.test(code))
      return {
        field,
        message: `code '${code}' must start with * or # because a default rule (empty code) exists`,
      }
    const clash = rules.findIndex((other, place) => place !== index && isConflict(code, other.code))
    if (clash >= 0) return { field, message: describeConflict(code, rules[clash]?.code ?? '') }
  }
  return undefined
}

function isConflict(code: string, other: string): boolean {
  if (code === other) return true
  return code !== '' && other.startsWith(code)
}

function describeConflict(code: string, other: string): string {
  if (code === other) return `code '${code}' is used twice`
  return `code '${code}' is a prefix of code '${other}'`
}
