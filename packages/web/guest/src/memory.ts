import type { Home } from './model.ts'

/** What the phone stores, so that doors, times and PIN are readable offline. */
export interface Kept {
  readonly token: string
  readonly home: Home
  readonly saved_at: number
  /** The digits, by PIN id. */
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

/** If the browser cannot store anything, the page still works until it is closed. */
export function keep(kept: Kept | undefined): void {
  try {
    if (kept) localStorage.setItem(place, JSON.stringify(kept))
    else localStorage.removeItem(place)
  } catch {
    // Private windows may refuse storage.
  }
}
