import { useSearchParams } from 'wouter'

type Change = (name: string, value: string | null) => void

/** Returns what the address says of a list, and a function that changes it. Null removes. */
export function useListParams(): readonly [URLSearchParams, Change] {
  const [params, setParams] = useSearchParams()
  const change: Change = (name, value) =>
    setParams(held => {
      const next = new URLSearchParams(held)
      if (value === null) next.delete(name)
      else next.set(name, value)
      return next
    })
  return [params, change]
}
