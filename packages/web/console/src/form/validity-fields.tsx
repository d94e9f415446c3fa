import { Text } from '@mantine/core'
import { t } from '../language/t.ts'
import type { Draft } from './draft.ts'
import { MomentInput, type Zoned } from './moment-input.tsx'

interface Dated {
  readonly starts_at: string | null
  readonly ends_at: string | null
}

interface ValidityFieldsProps<V extends Dated> {
  readonly draft: Draft<V>
  /** The path of the dates in the request body: `member.`. */
  readonly path?: string
  readonly zoned: Zoned
  readonly about?: { readonly starts_at: string; readonly ends_at: string }
  /** What happens after the end, shown while there is one. */
  readonly after?: string
}

/** The start and the end, side by side. Both are optional. */
export function ValidityFields<V extends Dated>({
  draft,
  path = '',
  zoned,
  about,
  after,
}: ValidityFieldsProps<V>) {
  const field = (name: 'starts_at' | 'ends_at', label: string) => (
    <MomentInput
      label={label}
      {...(about && { description: about[name] })}
      {...zoned}
      value={draft.values[name]}
      onChange={at => draft.set(name, at as V[typeof name])}
      error={draft.errorOf(path + name)}
    />
  )
  return (
    <>
      <div className="pair">
        {field('starts_at', t('From'))}
        {field('ends_at', t('Until'))}
      </div>
      {after && draft.values.ends_at && (
        <Text size="xs" c="dimmed">
          {after}
        </Text>
      )}
    </>
  )
}
