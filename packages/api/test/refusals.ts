import { RequestError, type Type } from '../src/index.ts'

/** Returns the field and the message with which a type rejects a value; undefined when accepted. */
export function refusalOf(type: Type<unknown>, value: unknown, path = 'field'): [string, string] | undefined {
  try {
    type.parse(value, path)
    return undefined
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return [error.args.field ?? '', error.message]
  }
}

export function takes(type: Type<unknown>, value: unknown): boolean {
  return refusalOf(type, value) === undefined
}
