import { useQueries } from '@tanstack/react-query'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { useApi } from '../session/use-api.ts'
import { collection, keyOf, type Plural, type QueryOf } from './collections.ts'

/** The service counts no further. */
const most = 10_000

export interface Count {
  readonly count: number
  readonly is_more: boolean
}

/** Counts the objects of several lists together. Undefined until all are counted, or if one could not be. */
export function useCount<P extends Plural>(plural: P, queries: readonly QueryOf<P>[]): Count | undefined {
  const { client, organization } = useApi()
  const counted = useQueries({
    queries: queries.map(query => ({
      queryKey: keyOf(organization.id, plural, 'count', query),
      queryFn: ({ signal }: { signal: AbortSignal }) => countOf(client, plural, query, signal),
    })),
  })
  const counts = counted.flatMap(({ data }) => data ?? [])
  if (counts.length < queries.length) return undefined
  return { count: counts.reduce((sum, one) => sum + one, 0), is_more: counts.some(one => one >= most) }
}

async function countOf<P extends Plural>(
  client: Parameters<typeof collection>[0],
  plural: P,
  query: QueryOf<P>,
  signal: AbortSignal,
): Promise<number | null> {
  const { count = null } = await collection(client, plural).list({
    ...query,
    limit: 1,
    with_count: true,
    signal,
  })
  return count
}

/** Returns `3 doors`, `1 door` or `10,000 or more doors`. */
export function countText({ count, is_more }: Count, [one, many]: readonly [string, string]): string {
  const number = count.toLocaleString(locale)
  if (is_more) return t(`${number} or more ${many}`)
  return count === 1 ? `1 ${one}` : `${number} ${many}`
}

/** Returns `1,234 in total`. */
export function totalText(count: number): string {
  const number = count.toLocaleString(locale)
  return count >= most ? t(`${number} or more`) : t(`${number} in total`)
}
