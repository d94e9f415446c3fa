import { t } from '../language/t.ts'

interface PlaceProps {
  readonly radius: number
  readonly lat: number
  readonly lng: number
}

const [width, height] = [320, 150]
const middle = { x: width / 2, y: height / 2 }

/**
 * Draws the circle within which a phone counts as near, to scale, with a ruler. No map is loaded from another
 * host, so the background is a grid of round distances around the position.
 */
export function Place({ radius, lat, lng }: PlaceProps) {
  const cell = roundDistance(Math.max(10, radius) / 1.6)
  const scale = 58 / Math.max(10, radius, cell)
  const step = cell * scale
  const columns = steps(middle.x, step, width)
  const rows = steps(middle.y, step, height)
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className="sites-place"
      role="img"
      aria-label={`Radius of ${words(radius)} around ${lat}, ${lng}`}
    >
      {columns.map(x => (
        <line key={x} x1={x} x2={x} y1={0} y2={height} className="sites-grid" />
      ))}
      {rows.map(y => (
        <line key={y} x1={0} x2={width} y1={y} y2={y} className="sites-grid" />
      ))}
      <circle cx={middle.x} cy={middle.y} r={Math.max(1, radius * scale)} className="sites-circle" />
      <line
        x1={middle.x}
        y1={middle.y}
        x2={middle.x + radius * scale}
        y2={middle.y}
        className="sites-radius"
      />
      <circle cx={middle.x} cy={middle.y} r={3.5} className="sites-middle" />
      <text x={middle.x + radius * scale + 6} y={middle.y + 4} className="sites-label">
        {words(radius)}
      </text>
      <path d={`M 12 ${height - 18} v 6 h ${step} v -6`} className="sites-ruler" />
      <text x={16 + step} y={height - 11} className="sites-label">
        {words(cell)}
      </text>
      <path d="M 304 30 v -16 m -4 5 l 4 -5 l 4 5" className="sites-ruler" />
      <text x={304} y={42} textAnchor="middle" className="sites-label">
        N
      </text>
    </svg>
  )
}

/** Returns the largest 1, 2 or 5 times a power of ten that does not exceed the distance. */
function roundDistance(distance: number): number {
  const power = 10 ** Math.floor(Math.log10(distance))
  const factor = [5, 2, 1].find(factor => factor * power <= distance) ?? 1
  return factor * power
}

function steps(from: number, step: number, until: number): number[] {
  const first = from - Math.floor(from / step) * step
  return Array.from({ length: Math.floor((until - first) / step) + 1 }, (_, index) => first + index * step)
}

function words(metres: number): string {
  return metres >= 1000 ? t(`${Math.round(metres / 100) / 10} km`) : `${Math.round(metres)} m`
}
