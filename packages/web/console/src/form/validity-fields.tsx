import type { Draft } from './draft.ts'
import { MomentInput } from './moment-input.tsx'

interface Dated {
  readonly starts_at: string | null
  readonly ends_at: string | null
}

interface ValidityFieldsProps<V extends Dated> {
  readonly draft: Draft<V>
  /** Where the service finds the dates in what is sent: `member.`. */
  readonly path?: string
  /** The zone is named unless given. */
  readonly about?: { readonly starts_at: string; readonly ends_at: string }
}

/** From and until, side by side; both may stay empty. */
export function ValidityFields<V extends Dated>({ draft, path = '', about }: ValidityFieldsProps<V>) {
  const field = (name: 'starts_at' | 'ends_at', label: string) => (
    <MomentInput
      label={label}
      {...(about && { description: about[name] })}
      value={draft.values[name]}
      onChange={at => draft.set(name, at as V[typeof name])}
      error={draft.errorOf(path + name)}
    />
  )
  return (
    <div className="pair">
      {field('starts_at', 'From')}
      {field('ends_at', 'Until')}
    </div>
  )
}
