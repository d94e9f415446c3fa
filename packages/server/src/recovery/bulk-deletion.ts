interface Revoked {
  readonly kind: string
  readonly how: string
  readonly revoked_at: string
}

export interface BulkDeletion {
  readonly members: number
  readonly from: string
  readonly until: string
}

/** Members that people rarely delete one by one so quickly. */
const many = 10
const seconds = 60

/**
 * Finds the minute in which most members were deleted, if they were many: perhaps the very mistake that the
 * restore is to undo. `revoked` is sorted by time.
 */
export function findBulkDeletion(revoked: readonly Revoked[]): BulkDeletion | undefined {
  const times = revoked
    .filter(({ kind, how }) => kind === 'member' && how === 'deleted')
    .map(({ revoked_at }) => revoked_at)
  let best: BulkDeletion | undefined
  for (let [first, last] = [0, 0]; last < times.length; last++) {
    const until = times[last] ?? ''
    while (secondsBetween(times[first] ?? '', until) > seconds) first++
    const members = last - first + 1
    if (members >= many && members > (best?.members ?? 0)) best = { members, from: times[first] ?? '', until }
  }
  return best
}

function secondsBetween(from: string, until: string): number {
  return Temporal.Instant.from(from).until(until).total('seconds')
}
