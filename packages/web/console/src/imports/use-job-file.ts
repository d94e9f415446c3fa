import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { useApi } from '../session/use-api.ts'
import type { Job } from './job-words.ts'

/** Characters of a file that a page shows a part of. */
const mostShown = 2_000_000

/** Loads the beginning of a file of a job. What it says does not change any more. */
export function useJobFile({ id, files }: Job, name: string) {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, 'job_files', id, name),
    queryFn: async ({ signal }) => {
      const blob = await client.jobs.file(id, name, { signal })
      const text = await blob.slice(0, mostShown).text()
      return blob.size <= mostShown ? text : text.slice(0, text.lastIndexOf('\n') + 1)
    },
    enabled: files.some(file => file.name === name),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
