import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isSoak } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'

/** The minified build, because every page parses it, and that takes as long as a run. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Dark mode changes only colors, so only these rules are checked again there in `npm test`. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/**
 * Returns the violations that axe finds on the current page, by all rules or the given ones. A dialog hides
 * the rest of the page, so `npm test` checks only the dialog: the page is checked without it elsewhere.
 */
export async function findFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Injected once, because sending the source takes longer than most runs.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(
    async ([runOnly, whole]) => {
      const { axe } = window as unknown as { axe: Axe }
      const dialog = whole ? undefined : [...document.querySelectorAll('[role=dialog]')].at(-1)
      const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) }
      return (await axe.run(dialog ?? document, options)).violations
    },
    [rules, isSoak] as const,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
  )
}

interface Axe {
  run(where: Element | Document, options: object): Promise<{ readonly violations: readonly Violation[] }>
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}
