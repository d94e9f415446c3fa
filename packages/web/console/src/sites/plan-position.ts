export interface PlanPosition {
  readonly x: number
  readonly y: number
}

/** Where doors that are not placed yet begin. */
export const middle: PlanPosition = { x: 0.5, y: 0.5 }

/** Returns a place on the picture, with as many digits as a screen can show. */
export function within({ x, y }: PlanPosition): PlanPosition {
  return { x: inside(x), y: inside(y) }
}

function inside(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000
}

const steps: Readonly<Record<string, PlanPosition>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Returns where an arrow key moves a door: by a hundredth of the picture, or five with Shift. */
export function movedBy(
  { x, y }: PlanPosition,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
): PlanPosition | undefined {
  const step = steps[key]
  const length = shiftKey ? 0.05 : 0.01
  return step && within({ x: x + step.x * length, y: y + step.y * length })
}
