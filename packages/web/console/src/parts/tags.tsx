import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { useApi } from '../session/use-api.ts'
import { Name } from './name.tsx'

/** Loads all tags once, for every list that shows them. There are few of them. */
export function useTags() {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, 'tags', 'all'),
    queryFn: async () => {
      const { data } = await client.tags.list({ limit: 100, sort: 'name:asc' })
      return new Map(data.map(tag => [tag.id, tag]))
    },
    staleTime: 60_000,
  })
}

/** The tags of an object, each with its color. */
export function Tags({ ids }: { ids: readonly string[] }) {
  const { data } = useTags()
  const tags = ids.flatMap(id => data?.get(id) ?? [])
  return (
    <span className="tags">
      {tags.map(({ id, name, color }) => (
        <span key={id} className="tag">
          <span className="tag-color" style={{ background: color }} />
          <Name>{name}</Name>
        </span>
      ))}
    </span>
  )
}
