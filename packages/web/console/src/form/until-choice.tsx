import type { SiteZone } from '@gatehouse-access/api'
import { Radio, Stack } from '@mantine/core'
import type { Draft } from './draft.ts'
import { MomentInput } from './moment-input.tsx'

export interface UntilValues {
  /** Minutes, or `until`. */
  readonly length: string
  readonly until: string | null
}

interface UntilChoiceProps<V extends UntilValues> {
  readonly draft: Draft<V>
  /** Minutes with their words. */
  readonly lengths: readonly (readonly [string, string])[]
  readonly zone?: SiteZone | undefined
}

/** Asks how long something holds: one of the usual lengths, or until a time. */
export function UntilChoice<V extends UntilValues>({ draft, lengths, zone }: UntilChoiceProps<V>) {
  const { values, set, errorOf } = draft
  return (
    <>
      <Radio.Group
        aria-label="How long"
        value={values.length}
        onChange={length => set('length', length as V['length'])}
      >
        <Stack gap={10}>
          {lengths.map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
          <Radio value="until" label="Until a time" description="At most 7 days ahead." />
        </Stack>
      </Radio.Group>
      {values.length === 'until' && (
        <MomentInput
          label="Until"
          value={values.until}
          onChange={until => set('until', until as V['until'])}
          error={errorOf('until')}
          {...(zone && { zone })}
        />
      )}
    </>
  )
}

/** Returns when that is. Undefined while no time has been given. */
export function untilOf({ length, until }: UntilValues, now: number): string | undefined {
  if (length === 'until') return until ?? undefined
  return new Date(now + Number(length) * 60_000).toISOString()
}
