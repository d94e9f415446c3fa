import type { Home } from './model.ts'

/** What stays on the phone, so that doors, times and PIN can be read without the internet. */
export interface Kept {
  readonly token: string
  readonly home: Home
  readonly saved_at: number
  /** Digits by the id of the PIN. */
  readonly pins: Readonly<Record<string, string>>
}

const place = 'gatehouse-guest'

export function recall(): Kept | undefined {
  try {
    return JSON.parse(localStorage.getItem(place) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** A browser that keeps nothing still works, for as long as the page is open. */
export function keep(kept: Kept | undefined): void {
  try {
    if (kept) localStorage.setItem(place, JSON.stringify(kept))
    else localStorage.removeItem(place)
  } catch {
    // Private windows may refuse to store.
  }
}
