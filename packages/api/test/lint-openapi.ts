import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { OpenApi } from '../src/index.ts'

/** Returns violations of the recommended rules, which also check every example against its schema. */
export async function lintOpenApi(document: OpenApi): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: {} })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
}
