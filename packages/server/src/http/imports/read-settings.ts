import {
  type ImportSettings,
  importSettingParts,
  invalid,
  parsePlainQuery,
  parseShape,
  type Query,
  settleImport,
} from '@gatehouse-access/api'

const names = Object.keys(importSettingParts)
/** Written as JSON in a query. */
const nested = ['mapping', 'defaults']

/** Settings from the query and, of a form, from its part. What both say is refused. */
export function readSettings(query: Query, part: string | undefined): ImportSettings {
  const given = Object.entries(parsePlainQuery(names, query)).map(([name, text]) => [
    name,
    readValue(name, text),
  ])
  const inQuery = Object.fromEntries(given)
  const inPart = part === undefined ? {} : parseObject('settings', part)
  const twice = Object.keys(inPart).find(name => name in inQuery)
  if (twice !== undefined) throw invalid(twice, `${twice} is in the query and in the settings; give it once`)
  return settleImport(parseShape(importSettingParts, { ...inQuery, ...inPart }, ''))
}

function readValue(name: string, text: string): unknown {
  if (nested.includes(name)) return parseObject(name, text)
  if (name === 'dry_run') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function parseObject(name: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Told below, like what is JSON and no object.
  }
  throw invalid(name, `${name} must be a JSON object`)
}
