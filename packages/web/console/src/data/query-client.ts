import { ApiError } from '@gatehouse/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { goToSignIn } from '../session/session.ts'

const refusals = new Set<string>(['second_factor_required', 'sign_in_again'])

/** The SDK repeats what may be repeated, so nothing is repeated here. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: error => {
      if (!(error instanceof ApiError)) return
      if (error.status === 401) goToSignIn()
      // What the session was worth has changed: it is asked for again, and says so in place of the screen.
      if (refusals.has(error.args.reason ?? '')) void queryClient.invalidateQueries({ queryKey: ['session'] })
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})
