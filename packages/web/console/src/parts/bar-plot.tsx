import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import './bar-plot.css'

export interface Bar {
  readonly start: number
  readonly used: number
  readonly denied: number
}

export const plotHeight = 96
const [height, step, gap] = [plotHeight, 20, 4]

interface BarPlotProps {
  readonly label: string
  readonly bars: readonly Bar[]
  /** Names a bar by its start. */
  readonly nameOf: (start: number) => string
  /** What is written below, evenly spaced. */
  readonly ticks: readonly string[]
}

/** Uses and denials over time. */
export function BarPlot({ label, bars, nameOf, ticks }: BarPlotProps) {
  const most = mostOf(bars)
  const width = bars.length * step
  return (
    <>
      <div className="activity-axes">
        <div className="activity-axis" aria-hidden>
          {[1, 0.5, 0].map(part => (
            <span key={part}>{(most * part).toLocaleString(locale)}</span>
          ))}
        </div>
        <svg
          className="activity-plot"
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${label}: ${countWords(bars)}`}
        >
          {[0, 0.5, 1].map(part => (
            <line
              key={part}
              x1={0}
              x2={width}
              y1={height * part}
              y2={height * part}
              className="activity-line"
            />
          ))}
          {bars.map((bar, index) => (
            <Column key={bar.start} bar={bar} left={index * step} most={most} name={nameOf(bar.start)} />
          ))}
        </svg>
      </div>
      <div className="activity-scale" aria-hidden>
        {ticks.map(tick => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
      <div className="activity-legend" aria-hidden>
        <Mark color="activity-used" /> {t('Opened', 'count')}
        <Mark color="activity-denied" /> {t('Denied', 'count')}
      </div>
    </>
  )
}

/** Drawn, because backgrounds are not printed. */
function Mark({ color }: { color: string }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden>
      <rect width={10} height={10} rx={2} className={color} />
    </svg>
  )
}

function Column({ bar, left, most, name }: { bar: Bar; left: number; most: number; name: string }) {
  const { used, denied } = bar
  const scale = (count: number) => (count / most) * height
  return (
    <g>
      <title>{`${name}: ${used} opened, ${denied} denied`}</title>
      <rect x={left} y={0} width={step} height={height} className="activity-hit" />
      <rect
        x={left + gap / 2}
        width={step - gap}
        y={height - scale(used)}
        height={scale(used)}
        className="activity-used"
      />
      <rect
        x={left + gap / 2}
        width={step - gap}
        y={height - scale(used) - scale(denied)}
        height={scale(denied)}
        className="activity-denied"
      />
    </g>
  )
}

/** Names a bar by the hour that it begins with. */
export function hourName(at: number, timeZone?: string): string {
  return new Date(at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', timeZone })
}

export function countWords(bars: readonly Bar[]): string {
  const sum = (name: 'used' | 'denied') => bars.reduce((total, bar) => total + bar[name], 0)
  return t(`${sum('used').toLocaleString(locale)} opened, ${sum('denied').toLocaleString(locale)} denied`)
}

/** The top of the axis: an even number that no bar exceeds, so that its half is whole. */
function mostOf(bars: readonly Bar[]): number {
  const most = Math.max(4, ...bars.map(({ used, denied }) => used + denied))
  return most + (most % 2)
}
