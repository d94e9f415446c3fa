import { createElement, Fragment, type ReactNode } from 'react'

/** Puts values into the gaps of a text: `{0}`, `{1}`. The build writes calls of it. */
export function fillIn(text: string, ...values: readonly unknown[]): string {
  return text.replaceAll(/\{(\d+)\}/g, (_, gap: string) => String(values[Number(gap)]))
}

/** Puts elements and values into the gaps of a text. The build writes calls of it. */
export function fillElements(text: string, ...values: readonly ReactNode[]): ReactNode {
  const parts = text.split(/\{(\d+)\}/).map((part, index) => (index % 2 === 0 ? part : values[Number(part)]))
  return createElement(Fragment, null, ...parts)
}
