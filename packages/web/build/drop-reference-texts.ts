import { join } from 'node:path'
import type { Plugin } from 'vite'

const declarations = join(import.meta.dirname, '../../api/src')

/** What nobody fills in a form for. Of the others, forms show what the declarations say about their fields. */
const shownNowhere = [
  'errors',
  ...[
    ...['access', 'alarm', 'bulk', 'change', 'decided-by', 'emergency', 'erasure', 'event', 'export'],
    ...['gadget-mode', 'grant', 'history', 'job', 'legal-hold', 'member-data', 'notification', 'preview'],
    ...[
      'privacy-record',
      'product',
      'simulation',
      'site-fire',
      'suspension',
      'sync',
      'webhook-delivery',
      'zone',
    ],
  ].map(name => `resources/${name}`),
]

/** A whole sentence in quotes. Other texts of declarations, such as names and values, have no full stop at their end. */
const sentence = /'(?:[^'\\\n]|\\.)* (?:[^'\\\n]|\\.)*\.'|"(?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)*\."/g

/** Leaves out what only the reference of the API says, so that the console loads faster. */
export function dropReferenceTexts(): Plugin {
  const files = new Set(shownNowhere.map(name => join(declarations, `${name}.ts`)))
  return {
    name: 'drop-reference-texts',
    enforce: 'pre',
    transform: (code, id) => (files.has(id) ? { code: code.replace(sentence, "''"), map: null } : null),
  }
}
