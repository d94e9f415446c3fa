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
 * Returns the violations that axe finds on the current page, and the inputs and switches that nobody sees. A dialog hides
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

/** Runs in the page. Returns the inputs and switches whose border has a contrast of less than 3:1, which axe does not look at. */
function findFaint(): string[] {
  const lightOf = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? [])
      .map(part => Number(part) / 255)
      .map(part => (part <= 0.04 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
  }
  const isClear = (color: string) => /^rgba\(.*, 0\)$/.test(color)
  const groundOf = (element: Element | null): string => {
    const ground = element ? getComputedStyle(element).backgroundColor : 'rgb(255, 255, 255)'
    return isClear(ground) ? groundOf(element?.parentElement ?? null) : ground
  }
  const isFaint = (edge: string, ground: string) => {
    const contrast = lightOf(edge) / lightOf(ground)
    return Math.max(contrast, 1 / contrast) < 3
  }
  const isDrawn = (input: HTMLInputElement) => {
    const { appearance, borderTopColor, borderTopWidth } = getComputedStyle(input)
    const is_own = appearance === 'none' || !/^(checkbox|radio|range|color|file)$/.test(input.type)
    return is_own && input.clientWidth > 0 && borderTopWidth !== '0px' && !isClear(borderTopColor)
  }
  const inputs = [...document.querySelectorAll<HTMLInputElement>('input:not(:checked, :disabled)')]
  const tracks = document.querySelectorAll('input:not(:checked, :disabled) + .mantine-Switch-track')
  const faint = [
    ...inputs
      .filter(isDrawn)
      .filter(input => isFaint(getComputedStyle(input).borderTopColor, groundOf(input))),
    // A switch is told from what is around it.
    ...[...tracks].filter(track => {
      const edge = /rgba?\([^)]*\)/.exec(getComputedStyle(track).boxShadow)?.[0]
      return edge === undefined || isFaint(edge, groundOf(track.parentElement))
    }),
  ]
  return faint.map(one => `faint border: ${one.outerHTML.slice(0, 200)}`)
}

interface Axe {
  run(where: Element | Document, options: object): Promise<{ readonly violations: readonly Violation[] }>
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}
