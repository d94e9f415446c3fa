import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePoll } from '../data/use-poll.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { type Effective, modesInOrder, modeWord } from '../modes/mode.ts'
import { type ModeCounts, useModeCounts } from './use-mode-counts.ts'
import './mode-strip.css'

/** Doors by mode. Hidden while nothing is set up as a door. */
export function ModeStrip() {
  const { data } = useModeCounts()
  usePoll((data?.unconfirmed.length ?? 0) > 0, 'modes')
  if (!data || data.total === 0) return null
  return (
    <section className="mode-strip" aria-label="Doors by mode">
      <ul>
        {modesInOrder.map(mode => (
          <Tile key={mode} mode={mode} names={data.of[mode]} />
        ))}
        {data.unconfirmed.length > 0 && <Unconfirmed data={data} />}
      </ul>
      {data.has_more && <p className="soft">Among the first {data.total.toLocaleString(locale)} doors.</p>}
    </section>
  )
}

function Tile({ mode, names }: { mode: Effective; names: readonly string[] }) {
  const count = <strong>{names.length.toLocaleString(locale)}</strong>
  const is_one = names.length === 1 && mode !== 'evacuation'
  return (
    <Tooltip label={listed(names)} disabled={names.length === 0} multiline maw={300}>
      <li className="mode-tile" data-mode={mode} data-none={names.length === 0}>
        {is_one ? (
          <>
            {count} {modeWord(mode)}
          </>
        ) : (
          many[mode](count)
        )}
      </li>
    </Tooltip>
  )
}

const many: Record<Effective, (count: ReactNode) => ReactNode> = {
  controlled: count => <>{count} controlled</>,
  unlocked: count => <>{count} unlocked</>,
  lockdown: count => <>{count} locked down</>,
  evacuation: count => <>{count} in evacuation</>,
}

function Unconfirmed({ data }: { data: ModeCounts }) {
  return (
    <Tooltip label={listed(data.unconfirmed)} multiline maw={300}>
      <li className="mode-tile" data-mode="unconfirmed">
        <strong>{data.unconfirmed.length.toLocaleString(locale)}</strong> of these not confirmed yet
      </li>
    </Tooltip>
  )
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(', ')
  return names.length > 8 ? t(`${shown} and ${names.length - 8} more`) : shown
}
