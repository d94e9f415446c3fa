import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brandColors, contrast } from '../src/index.ts'

function parts(color: string): [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const pages = { light: ['#f7f8f9', '#ffffff', '#1a1c21'], dark: ['#111317', '#16181d', '#e4e6ea'] } as const

test('whatever the color, buttons, what is on them and text on its wash can be read, in light and dark', () => {
  const anyColor = fc
    .integer({ min: 0, max: 0xffffff })
    .map(value => `#${value.toString(16).padStart(6, '0')}`)
  const between = (one: string, other: string) => contrast(parts(one), parts(other))
  fc.assert(
    fc.property(anyColor, color => {
      const colors = brandColors(color)
      const worst = (['light', 'dark'] as const).flatMap(mode => {
        const { accent, ink, wash } = colors[mode]
        const [paper, card, text] = pages[mode]
        return [
          between(accent, ink) >= 4.5,
          between(accent, paper) >= 3,
          between(accent, card) >= 3,
          between(accent, wash) >= 3,
          between(text, wash) >= 4.5,
        ]
      })
      return worst.every(Boolean)
    }),
  )
})

test('a color that is readable as it is stays', () => {
  expect(brandColors('#0b4f94').light.accent).toBe('#0b4f94')
  expect(brandColors('#8cc1f5').dark.accent).toBe('#8cc1f5')
  expect(brandColors('#ffdd00').light.accent).not.toBe('#ffdd00')
  expect(brandColors('#ffdd00').light.ink).toBe('#000000')
})

test('contrast is that of WCAG', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21)
  expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.478, 3)
})
