import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { t } from '../language/t.ts'

/** The texts of a list that can show what was deleted. */
export interface Deleted {
  /** What the choice is about: `Show groups`. */
  readonly label: string
  /** Shown if nothing is deleted: `No deleted groups`. */
  readonly title: string
}

/** The choice between the living and the deleted, which stands in the address. */
export function useDeleted(label: string | undefined): { is_deleted: boolean; choice: ReactNode } {
  const [params, setParams] = useSearchParams()
  const is_deleted = label !== undefined && params.get('show') === 'deleted'
  const choice = label && (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={is_deleted ? 'deleted' : 'all'}
      onChange={value => setParams(value === 'all' ? {} : { show: value })}
      data={[
        { value: 'all', label: 'Everything' },
        { value: 'deleted', label: t('Deleted', 'things') },
      ]}
    />
  )
  return { is_deleted, choice }
}
