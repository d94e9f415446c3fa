import { t } from '../language/t.ts'
import { useDatesZone } from '../members/use-dates-zone.ts'
import type { Draft } from './draft.ts'
import { MomentInput } from './moment-input.tsx'

interface Dated {
  readonly starts_at: string | null
  readonly ends_at: string | null
}

interface ValidityFieldsProps<V extends Dated> {
  readonly draft: Draft<V>
  /** The path of the dates in the request body: `member.`. */
  readonly path?: string
  /** Whose dates they are, if the member is known: they are in the time zone of its doors. */
  readonly member_id?: string
  readonly about?: { readonly starts_at: string; readonly ends_at: string }
}

/** The start and the end, side by side. Both are optional. */
export function ValidityFields<V extends Dated>({
  draft,
  path = '',
  member_id,
  about,
}: ValidityFieldsProps<V>) {
  const dates = useDatesZone(member_id)
  const field = (name: 'starts_at' | 'ends_at', label: string) => (
    <MomentInput
      label={label}
      {...(about && { description: about[name] })}
      {...dates}
      value={draft.values[name]}
      onChange={at => draft.set(name, at as V[typeof name])}
      error={draft.errorOf(path + name)}
    />
  )
  return (
    <div className="pair">
      {field('starts_at', t('From'))}
      {field('ends_at', t('Until'))}
    </div>
  )
}
