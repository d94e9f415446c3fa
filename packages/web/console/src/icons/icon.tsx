import type { SVGProps } from 'react'

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Pixels. */
  readonly size?: number
  /** Width of the lines, in the 24 units of the drawing. */
  readonly stroke?: number
}

/**
 * Returns the component that shows a drawing: paths on a square of 24 by 24 units. In `icons.ts`, the build
 * replaces the name of a drawing by its paths.
 */
export function icon(...paths: readonly string[]) {
  return function Icon({ size = 24, stroke = 2, ...rest }: IconProps) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        viewBox="0 0 24 24"
        width={size}
        height={size}
        fill="none"
        stroke="currentColor"
        strokeWidth={stroke}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
        {...rest}
      >
        {paths.map(path => (
          <path key={path} d={path} />
        ))}
      </svg>
    )
  }
}
