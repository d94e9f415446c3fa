import { type RefObject, useEffect, useMemo, useReducer } from 'react'

/** Of a row that says one line. */
const height = 44

export interface Tops {
  /** How far below the first row a row begins. */
  topOf(index: number): number
  /** Which row is that far below the beginning of the first. */
  rowAt(distance: number): number
}

const even: Tops = { topOf: index => index * height, rowAt: distance => Math.floor(distance / height) }

/**
 * Says where rows begin. Where they are as high as what they say, those that were seen count by their own height, and all
 * others by the mean.
 */
export function useTops(body: RefObject<HTMLElement | null>, is_tall: boolean): Tops {
  const seen = useMemo(() => new Map<number, number>(), [])
  const [, draw] = useReducer((times: number) => times + 1, 0)
  // After each rendering, which may have brought other rows.
  useEffect(() => {
    if (!is_tall) return
    let width = body.current?.clientWidth
    const observer = new ResizeObserver(entries => {
      // All of them break into other lines.
      if (body.current?.clientWidth !== width) seen.clear()
      width = body.current?.clientWidth
      if (entries.map(({ target }) => note(seen, target)).includes(true)) draw()
    })
    for (const row of body.current?.querySelectorAll('[aria-rowindex]') ?? []) observer.observe(row)
    return () => observer.disconnect()
  })
  return useMemo(() => (is_tall ? uneven(seen) : even), [seen, is_tall])
}

/** Returns whether that is news. What is hidden has no height. */
function note(seen: Map<number, number>, row: Element): boolean {
  const index = Number(row.ariaRowIndex) - 2
  const { height } = row.getBoundingClientRect()
  if (height === 0 || seen.get(index) === height) return false
  seen.set(index, height)
  return true
}

function uneven(seen: ReadonlyMap<number, number>): Tops {
  const find = (isFound: (row: number, top: number) => boolean) => {
    const mean = seen.size === 0 ? height : [...seen.values()].reduce((sum, one) => sum + one) / seen.size
    let [row, top, next] = [0, 0, seen.get(0) ?? mean]
    while (!isFound(row, top + next)) {
      top += next
      next = seen.get(++row) ?? mean
    }
    return { row, top }
  }
  return {
    topOf: index => find(row => row >= index).top,
    rowAt: distance => find((_, bottom) => bottom > distance).row,
  }
}
