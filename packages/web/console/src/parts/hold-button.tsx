import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { t } from '../language/t.ts'
import { type HoldPhase, useHold } from './use-hold.ts'
import './hold-button.css'

interface HoldButtonProps {
  /** Says what holding does: `Hold to start`. */
  readonly label: string
  readonly onHeld: () => Promise<unknown>
  readonly size?: 'small' | 'large'
  readonly tone?: 'bad' | 'plain'
  /** What is started or ended, for those who do not see the surroundings. */
  readonly about?: string
  readonly icon?: ReactNode
}

const hints: Record<HoldPhase, string> = {
  idle: t('Hold for 2 seconds. On a keyboard, hold Space or Enter.'),
  holding: t('Keep holding…'),
  let_go: t('Released too early. Nothing has happened. Hold for 2 seconds.'),
  armed: t('Activate again to confirm.'),
}

/** A button that acts when it has been held for two seconds. A ring fills meanwhile. */
export function HoldButton({ label, onHeld, size = 'small', tone = 'bad', about, icon }: HoldButtonProps) {
  const [is_busy, setBusy] = useState(false)
  const run = async () => {
    navigator.vibrate?.(60)
    setBusy(true)
    await onHeld().finally(() => setBusy(false))
  }
  const { phase, handlers } = useHold(() => void run())
  const hint = useId()
  const words = is_busy ? t('Sent, waiting for the answer.') : hints[phase]
  return (
    <span className="hold" data-size={size}>
      <button
        type="button"
        className="hold-button"
        data-tone={tone}
        data-phase={is_busy ? 'busy' : phase}
        aria-describedby={hint}
        aria-label={about ? `${label}: ${about}` : undefined}
        disabled={is_busy}
        {...handlers}
      >
        <Ring>{icon}</Ring>
        {phase === 'holding' ? 'Keep holding…' : label}
      </button>
      {size === 'large' ? (
        <span id={hint} className="hold-hint">
          {words}
        </span>
      ) : (
        <VisuallyHidden id={hint}>{words}</VisuallyHidden>
      )}
      <VisuallyHidden role="status">{phase === 'idle' && !is_busy ? '' : words}</VisuallyHidden>
    </span>
  )
}

function Ring({ children }: { children: ReactNode }) {
  return (
    <span className="hold-mark" aria-hidden>
      <svg viewBox="0 0 24 24" className="hold-ring" aria-hidden>
        <circle cx={12} cy={12} r={10} className="hold-track" />
        <circle cx={12} cy={12} r={10} className="hold-progress" pathLength={100} />
      </svg>
      {children}
    </span>
  )
}
