import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { useApi } from '../session/use-api.ts'

/** Whether the organization has the feature that opening doors from here needs. Undefined while loading. */
export function useWhitelabel(): boolean | undefined {
  const { client, organization } = useApi()
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'organization'),
    queryFn: () => client.organization.get(),
    staleTime: 60_000,
  })
  return data?.features.whitelabel
}
