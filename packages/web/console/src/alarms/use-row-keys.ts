import type { KeyboardEvent } from 'react'
import { useRef } from 'react'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * Keys for a list of alarms: arrows go from alarm to alarm, `a` acknowledges the one that has the focus. Only
 * there, so that nobody takes an alarm by a key that was meant for something else.
 */
export function useRowKeys(acknowledge: (id: string) => void) {
  const list = useRef<HTMLUListElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
    const row = event.target.closest<HTMLElement>('[data-alarm]')
    if (!row) return
    const step = steps[event.key]
    if (step) {
      event.preventDefault()
      targetOf(neighbour(list.current, row, step))?.focus()
    }
    if (event.key !== 'a' || event.repeat) return
    // The row is about to leave with what it explains, and the focus with it.
    const next = staying(list.current, row, 1) ?? staying(list.current, row, -1)
    targetOf(next)?.focus()
    acknowledge(row.dataset.alarm ?? '')
  }
  return { list, onKeyDown }
}

/** Returns the next row that acknowledging this one leaves where it is. */
function staying(list: HTMLElement | null, row: HTMLElement, step: number): HTMLElement | undefined {
  const is_explained = row.closest('.alarm-explained') !== null
  let next = neighbour(list, row, step)
  while (next && !is_explained && next.closest('.alarm') === row.closest('.alarm'))
    next = neighbour(list, next, step)
  return next
}

function neighbour(list: HTMLElement | null, row: HTMLElement, step: number): HTMLElement | undefined {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-alarm]') ?? [])]
  return rows[rows.indexOf(row) + step]
}

function targetOf(row: HTMLElement | undefined): HTMLElement | null {
  return row?.querySelector<HTMLElement>('.alarm-target') ?? null
}
