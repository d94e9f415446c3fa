import { ApiError } from '@gatehouse/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { goToSignIn } from '../session/session.ts'

/** The SDK repeats what may be repeated, so nothing is repeated here. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: error => {
      if (error instanceof ApiError && error.status === 401) goToSignIn()
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})
