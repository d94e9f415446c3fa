/** What a page shows of a brand color: buttons, what is written on them, and quiet surfaces. */
export interface BrandColors {
  readonly accent: string
  readonly ink: string
  readonly wash: string
}

type Color = readonly [red: number, green: number, blue: number]

const black: Color = [0, 0, 0]
const white: Color = [255, 255, 255]
/** The darkest surface of a light page, and the lightest of a dark one, as on the guest page. */
const papers = { light: [247, 248, 249], dark: [22, 24, 29] } as const

/** What WCAG 2.2 asks of controls (1.4.11). Black or white on any color has more than the 4.5 of text. */
const least = 3

/** Makes a color readable on light and on dark pages: darker or lighter, as little as possible. */
export function brandColors(color: string): { readonly light: BrandColors; readonly dark: BrandColors } {
  const brand = parse(color)
  return { light: colorsOn(brand, papers.light, black), dark: colorsOn(brand, papers.dark, white) }
}

function colorsOn(brand: Color, paper: Color, towards: Color): BrandColors {
  const wash = (accent: Color) => mix(paper, accent, 0.12)
  const reads = (accent: Color) => contrast(accent, paper) >= least && contrast(accent, wash(accent)) >= least
  const steps = Array.from({ length: 51 }, (_, step) => mix(brand, towards, step / 50))
  const accent = steps.find(reads) ?? towards
  const ink = contrast(accent, white) >= contrast(accent, black) ? white : black
  return { accent: write(accent), ink: write(ink), wash: write(wash(accent)) }
}

function parse(color: string): Color {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function write(color: Color): string {
  return `#${color.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

function mix([red, green, blue]: Color, other: Color, share: number): Color {
  const part = (from: number, to: number) => Math.round(from + (to - from) * share)
  return [part(red, other[0]), part(green, other[1]), part(blue, other[2])]
}

/** As WCAG defines it, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [more = 0, less = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (more + 0.05) / (less + 0.05)
}

function luminance([red, green, blue]: Color): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
