import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/use-api.ts'
import { collection, type ItemOf, keyOf, type Plural } from './collections.ts'

/** Loads one object. `Expanded` types what `expand` adds. */
export function useObject<P extends Plural, Expanded = unknown>(
  plural: P,
  id: string | null | undefined,
  expand: readonly string[] = [],
) {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, plural, 'one', id, expand),
    queryFn: ({ signal }) =>
      collection(client, plural).get(id as string, {
        ...(expand.length > 0 && { expand }),
        signal,
      }) as Promise<ItemOf<P> & Expanded>,
    enabled: typeof id === 'string' && id !== '',
  })
}
