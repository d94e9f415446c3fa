import { memo, type Ref, useMemo } from 'react'
import { type Places, weeksShown } from './year.ts'
import { type DayLook, pictureBox, pitch, type Shapes, shapeOf, shapesOf } from './year-shapes.ts'

interface PictureProps {
  readonly ref: Ref<SVGSVGElement>
  /** Undefined while they are loading. */
  readonly places: Places | undefined
  /** The place of today. It may lie outside of the year. */
  readonly today: number
}

/** Draws a year with one shape for each look, because hundreds of elements take a slow phone too long. */
export const YearPicture = memo(function YearPicture({ ref, places, today }: PictureProps) {
  const shapes = useMemo(() => places && shapesOf(places), [places])
  return (
    <svg ref={ref} className="year-picture" viewBox={pictureBox} aria-hidden="true">
      {patterns}
      {shapes ? <Days {...shapes} /> : <rect width="100%" height="100%" fill="url(#year-blank)" />}
      {places?.[today] && <path className="year-today" d={shapeOf(today)} />}
    </svg>
  )
})

function Days({ looks, corners }: Shapes) {
  return (
    <>
      {[...looks].map(([look, shape]) => (
        <LookShape key={look} look={look} shape={shape} />
      ))}
      {corners && <path className="year-corner" d={corners} />}
    </>
  )
}

/** What a day has beside its look. */
export type Mark = 'change' | 'today'

/** A single day, for the legend. Its patterns are those of the picture. */
export function YearSample({ look, mark }: { look: DayLook; mark?: Mark | undefined }) {
  return (
    <svg className="year-sample" viewBox={`0 0 ${pitch} ${pitch}`} aria-hidden="true">
      <LookShape look={look} shape={shapeOf(0)} />
      {mark === 'change' && <path className="year-corner" d="M1 1h7.5l-7.5 7.5z" />}
      {mark === 'today' && <path className="year-today" d={shapeOf(0)} />}
    </svg>
  )
}

const patterned: Partial<Record<DayLook, string>> = {
  'special_day open': 'year-stripes',
  'special_day closed': 'year-lines',
  'exception open': 'year-hole',
  'exception closed': 'year-dot',
}

function LookShape({ look, shape }: { look: DayLook; shape: string }) {
  const pattern = patterned[look]
  return (
    <path className="year-look" data-look={look} d={shape} fill={pattern ? `url(#${pattern})` : undefined} />
  )
}

const stripes = `M0 6L6 0M0 12L12 0M0 ${pitch}L${pitch} 0M6 ${pitch}L${pitch} 6M12 ${pitch}L${pitch} 12`

/** Special days are striped, exceptions have a dot, closed days are hollow. A tile is as large as a day. */
function Patterns() {
  const tile = { width: pitch, height: pitch, patternUnits: 'userSpaceOnUse' }
  const size = { width: pitch, height: pitch }
  const dot = { cx: pitch / 2, cy: pitch / 2, r: 2.5 }
  return (
    <defs>
      <pattern id="year-blank" {...tile}>
        <path d={shapeOf(0)} className="year-fill-blank" />
      </pattern>
      <pattern id="year-stripes" {...tile}>
        <rect {...size} className="year-fill-special" />
        <path d={stripes} className="year-line-pale" strokeWidth={1.5} />
      </pattern>
      <pattern id="year-lines" {...tile}>
        <rect {...size} className="year-fill-raised" />
        <path d={stripes} className="year-line-special" strokeWidth={1.2} />
      </pattern>
      <pattern id="year-hole" {...tile}>
        <rect {...size} className="year-fill-exception" />
        <circle {...dot} className="year-fill-raised" />
      </pattern>
      <pattern id="year-dot" {...tile}>
        <rect {...size} className="year-fill-raised" />
        <circle {...dot} className="year-fill-exception" />
      </pattern>
    </defs>
  )
}

const patterns = <Patterns />

/** Returns the place in the picture at a point of the window. */
export function placeAt(picture: SVGSVGElement, { clientX, clientY }: { clientX: number; clientY: number }) {
  const { left, top, width, height } = picture.getBoundingClientRect()
  const [column, row] = [
    Math.floor(((clientX - left) / width) * weeksShown),
    Math.floor(((clientY - top) / height) * 7),
  ]
  const is_inside = column >= 0 && column < weeksShown && row >= 0 && row < 7
  return is_inside ? column * 7 + row : undefined
}
