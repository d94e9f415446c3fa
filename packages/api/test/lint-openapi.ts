import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { OpenApi } from '../src/index.ts'

/** Problems of the document under the recommended rules, and that every example fits its schema; empty when clean. */
export async function lintOpenApi(document: OpenApi): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: {} })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
}
