import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useApi } from '../session/use-api.ts'
import { refreshTouched } from './refresh-touched.ts'
import { type LiveEvent, openStream, type StreamState } from './stream.ts'

type Listener = (events: readonly LiveEvent[]) => void

interface Live {
  readonly state: StreamState
  listen(listener: Listener): () => void
}

const LiveContext = createContext<Live | undefined>(undefined)

/** Milliseconds between two looks of a role that no stream tells of changes. */
const lookEvery = 5000

/**
 * Opens one stream for the whole organization. Screens subscribe with useLiveEvents. Roles that see no events have no stream:
 * what they look at is loaded again every few seconds.
 */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { client, organization, sees_people } = useApi()
  const queries = useQueryClient()
  const [state, setState] = useState<StreamState>('connecting')
  const listeners = useRef(new Set<Listener>())
  useEffect(() => {
    const touched = refreshTouched(queries, organization.id)
    if (!sees_people) {
      const timer = setInterval(() => document.hidden || touched.addAll(), lookEvery)
      return () => {
        clearInterval(timer)
        touched.stop()
      }
    }
    let has_begun = false
    const close = openStream(client, {
      onState: next => {
        setState(next)
        if (next === 'live' && !has_begun) touched.refreshAll()
        has_begun ||= next === 'live'
      },
      onEvents: events => {
        touched.add(events)
        startTransition(() => {
          for (const listener of listeners.current) listener(events)
        })
      },
    })
    return () => {
      close()
      touched.stop()
    }
  }, [client, organization.id, queries, sees_people])
  const live = useMemo(
    () => ({
      state,
      listen(listener: Listener) {
        listeners.current.add(listener)
        return () => void listeners.current.delete(listener)
      },
    }),
    [state],
  )
  return <LiveContext value={live}>{children}</LiveContext>
}

function useLive(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new Error('useLive is used outside of LiveProvider')
  return live
}

export function useStreamState(): StreamState {
  return useLive().state
}

/** Calls the listener with each batch of new events, oldest first, inside a transition. */
export function useLiveEvents(listener: Listener): void {
  const { listen } = useLive()
  const current = useRef(listener)
  current.current = listener
  useEffect(() => listen(events => current.current(events)), [listen])
}
