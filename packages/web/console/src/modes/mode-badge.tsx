import { Badge } from '@mantine/core'
import { type Mode, modeColors, modeNames } from './mode.ts'

/** The mode of a door. One that the device has not confirmed says so. */
export function ModeBadge({ mode }: { mode: Mode }) {
  return (
    <>
      <Badge color={modeColors[mode.effective]}>{modeNames[mode.effective]}</Badge>
      {!mode.is_confirmed && mode.effective !== 'controlled' && <Badge color="yellow">Not confirmed</Badge>}
    </>
  )
}
