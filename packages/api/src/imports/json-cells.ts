import { withApostrophe } from '@gatehouse-access/core'
import { cleared } from './source-row.ts'

/** Undefined unless the text is an object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** A value as a cell would say it: lists with semicolons, null as what clears. */
export function textOf(value: unknown): string {
  if (value === null) return cleared
  if (Array.isArray(value)) return value.length === 0 ? cleared : withApostrophe(value.map(String).join(';'))
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === cleared ? text : withApostrophe(text)
}

/** The same inside of metadata, where null alone clears. */
export function metadataText(value: unknown): string {
  return typeof value === 'string' ? withApostrophe(value) : textOf(value)
}
