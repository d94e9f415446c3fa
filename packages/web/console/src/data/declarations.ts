import type { Called } from '@gatehouse-access/sdk'

export interface Kind {
  readonly kind: string
  readonly plural: string
  readonly parent?: string
  readonly singleton?: true
}

/** A field that people fill in. */
export interface DeclaredField {
  readonly is_required?: true
  readonly is_nullable?: true
  /** The most characters. */
  readonly length?: number
  readonly choices?: readonly string[]
}

/** What the console needs of the API's declarations. The build fills it in, see `build/list-declarations.ts`. */
export const endpoints: readonly Called[] = []
export const kinds: readonly Kind[] = []
/** By kind and name. */
export const fields: Readonly<Record<string, Readonly<Record<string, DeclaredField>>>> = {}
