import { ApiError } from '@gatehouse-access/sdk'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/use-api.ts'
import { collection, keyOf, type Plural } from './collections.ts'

/** Loads an object to name it. Null: there is none, which is kept, too, because rows that name it come and go. */
export function useNamed<T>(plural: Plural, id: string, expand: readonly string[] = []) {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, plural, 'named', id, expand),
    queryFn: ({ signal }) =>
      collection(client, plural)
        .get(id, { ...(expand.length > 0 && { expand }), signal })
        .then(found => found as T, nullIfGone),
    staleTime: 60_000,
  })
}

function nullIfGone(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
