import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'

export type HoldPhase = 'idle' | 'holding' | 'let_go' | 'armed'

/** Milliseconds. Also in hold-button.css. */
export const holdTime = 2000

/**
 * What a button needs that acts only when it is held, so that nobody sets it off by accident.
 *
 *   idle ── pressed ──▶ holding ── 2 s ──▶ idle, onHeld
 *                       holding ── released, left, interrupted ──▶ let_go ── pressed ──▶ holding
 *   idle ── activated by assistive technology ──▶ armed ── activated again ──▶ idle, onHeld
 *
 * Screen readers and voice control cannot hold a button. They send a click that no pointer has made, so they
 * confirm by a second one instead.
 */
export function useHold(onHeld: () => void) {
  const [phase, setPhase] = useState<HoldPhase>('idle')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const held = useRef(onHeld)
  held.current = onHeld
  const stop = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
  }, [])
  useEffect(() => stop, [stop])
  const finish = () => {
    stop()
    setPhase('idle')
    held.current()
  }
  const press = () => {
    stop()
    setPhase('holding')
    timer.current = setTimeout(finish, holdTime)
  }
  const letGo = () => {
    if (timer.current === undefined) return
    stop()
    setPhase('let_go')
  }
  const handlers = {
    onPointerDown(event: PointerEvent) {
      // A finger that slides off the button takes its press back, as a mouse does.
      event.currentTarget.releasePointerCapture(event.pointerId)
      if (event.button === 0) press()
    },
    onPointerUp: letGo,
    onPointerLeave: letGo,
    onPointerCancel: letGo,
    onBlur() {
      letGo()
      if (phase === 'armed') setPhase('idle')
    },
    onKeyDown(event: KeyboardEvent) {
      if (!isPress(event)) return
      event.preventDefault()
      if (!event.repeat) press()
    },
    onKeyUp(event: KeyboardEvent) {
      if (!isPress(event)) return
      event.preventDefault()
      letGo()
    },
    onClick(event: MouseEvent) {
      if (event.detail > 0) return
      if (phase === 'armed') finish()
      else setPhase('armed')
    },
    // A long touch would open it.
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
  }
  return { phase, handlers }
}

function isPress({ key }: KeyboardEvent): boolean {
  return key === ' ' || key === 'Enter'
}
