import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** The minified build, because every page parses it, and that takes as long as a run. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Dark mode changes only colors, so only these rules are checked again there. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** Returns the violations that axe finds on the current page, by all rules or the given ones. */
export async function findFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Injected once, because sending the source takes longer than most runs.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(async runOnly => {
    const { axe } = window as unknown as { axe: Axe }
    return (await axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })).violations
  }, rules)
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
  )
}

interface Axe {
  run(options: object): Promise<{ readonly violations: readonly Violation[] }>
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}
