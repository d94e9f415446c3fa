import { ApiError } from '@gatehouse-access/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { goToSignIn } from '../session/session.ts'

const refusals = new Set<string>(['second_factor_required', 'sign_in_again'])

/** Retries are disabled here, because the SDK retries whatever is safe to retry. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: error => {
      if (!(error instanceof ApiError)) return
      if (error.status === 401) goToSignIn()
      // The session's rights have changed. Reloads the session, which then replaces the screen with an
      // explanation.
      if (refusals.has(error.args.reason ?? '')) void queryClient.invalidateQueries({ queryKey: ['session'] })
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})
