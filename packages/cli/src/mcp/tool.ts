import type { Client } from '@gatehouse-access/sdk'

/** A JSON Schema of one argument. */
interface Argument {
  readonly type: 'string' | 'boolean' | 'integer' | 'array'
  readonly description: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: { readonly type: 'string' }
}

export type Given = Readonly<Record<string, unknown>>

/** Something that a model can do. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly arguments: Readonly<Record<string, Argument>>
  readonly required?: readonly string[]
  /** It changes something, and is only offered with `--allow-writes`. */
  readonly writes?: 'adds' | 'ends'
  run(client: Client, given: Given): Promise<object>
}

export const textOf = (given: Given, name: string): string | undefined => {
  const value = given[name]
  return typeof value === 'string' ? value : undefined
}

export const doorArgument: Argument = { type: 'string', description: 'Name or ID of the door.' }
export const memberArgument: Argument = { type: 'string', description: 'Name or ID of the member.' }
export const limitArgument: Argument = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  description: 'How many at most. Defaults to 20.',
}

export function limitOf(given: Given): number {
  return typeof given.limit === 'number' ? given.limit : 20
}
