import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../session/use-api.ts'
import { keyOf } from './collections.ts'

/** Returns a function that invalidates every query of the given collections. */
export function useRefresh(): (...plurals: readonly string[]) => void {
  const queries = useQueryClient()
  const { organization } = useApi()
  return useCallback(
    (...plurals) => {
      for (const plural of plurals)
        void queries.invalidateQueries({ queryKey: keyOf(organization.id, plural) })
    },
    [queries, organization.id],
  )
}
