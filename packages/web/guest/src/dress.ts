import type { Host } from './model.ts'

/** Puts the page into the colors of the host. The style decides by light and dark which of them it uses. */
export function dress(colors: Host['colors']): void {
  const { style } = document.documentElement
  for (const mode of ['light', 'dark'] as const)
    for (const part of ['accent', 'ink', 'wash'] as const) {
      const name = `--${mode}-${part}`
      if (colors) style.setProperty(name, colors[mode][part])
      else style.removeProperty(name)
    }
}
