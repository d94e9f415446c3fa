import { Name } from '../parts/name.tsx'
import type { RuleValues } from './rule-values.ts'
import { ruleSentence } from './sentence.ts'
import { useRuleNames } from './use-rule-names.ts'

/** A rule in words. */
export function RuleSentence({ rule }: { rule: RuleValues }) {
  const parts = ruleSentence(rule, useRuleNames(rule))
  return (
    <span className="rule-sentence">
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          <span key={index} className="rule-name">
            <Name>{part.name}</Name>
          </span>
        ),
      )}
    </span>
  )
}
