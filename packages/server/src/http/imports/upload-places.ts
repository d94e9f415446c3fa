import { RequestError } from '@gatehouse-access/api'
import type { Arrived } from '../kit/arrivals.ts'

/** Quick uploads at once, and as many slow ones: of one organization, and of all. Each holds a connection and a few chunks. */
const [mostOfOne, mostAtOnce] = [2, 16]
/** What has to come of a slow upload in each span of 30 seconds, and how many of them it can take. */
const [leastBytes, mostSpans] = [512 * 1024, 20]

/** An upload in progress. Disposed of when it has ended. */
export class UploadPlace implements Disposable {
  readonly organization_id: string
  is_slow = false
  readonly #all: Set<UploadPlace>

  constructor(organization_id: string, all: Set<UploadPlace>) {
    this.organization_id = organization_id
    this.#all = all.add(this)
  }

  [Symbol.dispose](): void {
    this.#all.delete(this)
  }
}

/**
 * Bounds uploads. One that takes longer than a span moves to a place for slow ones, if one is free and it keeps coming, so
 * that slow uploads keep nobody from sending quickly.
 */
export class UploadPlaces {
  readonly #taken = new Set<UploadPlace>()

  take(organization_id: string): UploadPlace {
    if (this.#isFree(organization_id, false)) return new UploadPlace(organization_id, this.#taken)
    throw new RequestError('rate_limited', 'too many files are being sent at once; try again shortly', {
      headers: { 'retry-after': '5' },
    })
  }

  /** Asked at the end of each span. */
  mayGoOn(place: UploadPlace, { bytes, spans }: Arrived): boolean {
    if (bytes < leastBytes || spans >= mostSpans) return false
    place.is_slow ||= this.#isFree(place.organization_id, true)
    return place.is_slow
  }

  #isFree(organization_id: string, isSlow: boolean): boolean {
    const taken = [...this.#taken].filter(({ is_slow }) => is_slow === isSlow)
    const own = taken.filter(place => place.organization_id === organization_id)
    return taken.length < mostAtOnce && own.length < mostOfOne
  }
}
