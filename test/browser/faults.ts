import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isSoak } from '@gatehouse-access/testkit'
import type { Page } from 'playwright-core'

/** The minified build, because every page parses it, and that takes as long as a run. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns the looks in which a page is checked: all of them in `npm run soak`. In `npm test` one, in turn, so that
 * each look is seen on many pages.
 */
export function looksInTurn<Look>(name: string, looks: readonly Look[]): readonly Look[] {
  const turn = hash('sha1', name, 'buffer').readUInt16BE() % looks.length
  return isSoak ? looks : looks.slice(turn, turn + 1)
}

/**
 * Returns the violations that axe finds on the current page, and the boxes to tick that nobody sees. A dialog hides
 * the rest of the page, so `npm test` checks only the dialog: the page is checked without it elsewhere.
 */
export async function findFaults(page: Page): Promise<string[]> {
  // Injected once, because sending the source takes longer than most runs.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(async isWhole => {
    const { axe } = window as unknown as { axe: Axe }
    const dialog = isWhole ? undefined : [...document.querySelectorAll('[role=dialog]')].at(-1)
    return (await axe.run(dialog ?? document, { resultTypes: ['violations'] })).violations
  }, isSoak)
  const faults = found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
  )
  return [...faults, ...(await page.evaluate(findFaint))]
}

/** Runs in the page. Returns the boxes to tick whose border has a contrast of less than 3:1, which axe does not look at. */
function findFaint(): string[] {
  const lightOf = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? [])
      .map(part => Number(part) / 255)
      .map(part => (part <= 0.04 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
  }
  const boxes = document.querySelectorAll('input:is([type=checkbox], [type=radio]):not(:checked, :disabled)')
  return [...boxes].flatMap(box => {
    const { appearance, backgroundColor, borderTopColor } = getComputedStyle(box)
    if (appearance !== 'none' || box.clientWidth === 0) return []
    const contrast = lightOf(borderTopColor) / lightOf(backgroundColor)
    return Math.max(contrast, 1 / contrast) < 3 ? [`faint border: ${box.outerHTML.slice(0, 200)}`] : []
  })
}

interface Axe {
  run(where: Element | Document, options: object): Promise<{ readonly violations: readonly Violation[] }>
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}
