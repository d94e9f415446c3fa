import { mostNamed } from '@gatehouse-access/api'
import { Button, Text } from '@mantine/core'
import { locale } from '../language/languages.ts'
import type { Selection } from './selection.tsx'
import './selection.css'

interface SelectionBarProps {
  readonly selection: Selection
  /** What can be done with what is selected. */
  readonly actions: readonly { readonly label: string; readonly onClick: () => void }[]
}

/** Says how many are selected, and what can be done with all of them. Hidden while there are none. */
export function SelectionBar({ selection, actions }: SelectionBarProps) {
  const { ids, is_all, is_empty, setAll, clear } = selection
  if (is_empty) return null
  const is_too_many = ids.size > mostNamed
  const most = mostNamed.toLocaleString(locale)
  return (
    <section className="selection-bar" aria-label="Selection">
      <Text size="sm" fw={600} role="status">
        {is_all ? 'All that match are selected' : `${ids.size.toLocaleString(locale)} selected`}
      </Text>
      {!is_all && (
        <Button variant="subtle" size="compact-sm" onClick={setAll}>
          Select all that match
        </Button>
      )}
      <Button variant="subtle" size="compact-sm" onClick={clear}>
        Clear
      </Button>
      <div className="selection-actions">
        {actions.map(({ label, onClick }) => (
          <Button key={label} size="compact-sm" variant="default" disabled={is_too_many} onClick={onClick}>
            {label}
          </Button>
        ))}
      </div>
      {is_too_many && (
        <Text size="xs" c="dimmed">
          At most {most} can be selected one by one. Select all that match instead.
        </Text>
      )}
    </section>
  )
}
