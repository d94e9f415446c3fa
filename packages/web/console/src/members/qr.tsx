import { encode } from 'uqr'

/**
 * Renders a QR code as one path. The modules are dark on white in every color scheme, because cameras expect
 * that.
 */
export function Qr({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 3 })
  const path = data
    .flatMap((row, y) => row.flatMap((is_dark, x) => (is_dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="qr"
      role="img"
      aria-label="QR code for the link"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
