import { ApiError } from '@gatehouse-access/sdk'
import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { Failure } from '../parts/failure.tsx'
import { goToSignIn, loadSession, type Session } from './session.ts'

const SessionContext = createContext<Session | undefined>(undefined)

/** Returns the session. Always defined below SessionGate. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is used outside of SessionGate')
  return session
}

export function SessionGate({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery({ queryKey: ['session'], queryFn: askWho, staleTime: 60_000 })
  if (data) return <SessionContext value={data}>{children}</SessionContext>
  return (
    <main className="blank">
      {error ? <Failure error={error} retry={refetch} is_page /> : <Loader size="sm" />}
    </main>
  )
}

async function askWho(): Promise<Session> {
  try {
    return await loadSession()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    goToSignIn()
    return new Promise(() => undefined)
  }
}
