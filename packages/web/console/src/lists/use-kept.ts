import { useState } from 'react'
import { useSession } from '../session/gate.tsx'

/** Holds what a user has chosen for a list. It is kept in this browser, for each user. */
export function useKept<T>(name: string, none: T): readonly [T, (value: T) => void] {
  const { user } = useSession()
  const key = `gatehouse-${name}-${user.id}`
  const [held, setHeld] = useState(() => read(key, none))
  const keep = (value: T) => {
    localStorage.setItem(key, JSON.stringify(value))
    setHeld(value)
  }
  return [held, keep]
}

function read<T>(key: string, none: T): T {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(held) === Array.isArray(none) && held !== null ? (held as T) : none
  } catch {
    return none
  }
}
