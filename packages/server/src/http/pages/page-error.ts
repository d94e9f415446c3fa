import type { Texts } from '../../texts/english.ts'

/** An error that is shown to the user as a page. */
export class PageError extends Error {
  override name = 'PageError'
  readonly key: keyof Texts
  readonly status: number
  readonly details: string | undefined

  constructor(key: keyof Texts, status: number, details?: string) {
    super(key)
    this.key = key
    this.status = status
    this.details = details
  }
}
