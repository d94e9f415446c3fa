import { ConfigProblem } from './config-problem.ts'

/** Reads one object of a config file. Errors name the path of the invalid value. */
export class Parser {
  readonly #value: Record<string, unknown>
  readonly #path: string
  readonly #known = new Set<string>()

  constructor(value: unknown, path: string) {
    this.#path = path
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ConfigProblem(`${path || 'The configuration file'} must be an object.`)
    this.#value = { ...value }
  }

  has(name: string): boolean {
    this.#known.add(name)
    return this.#value[name] !== undefined
  }

  names(): string[] {
    return Object.keys(this.#value)
  }

  text(name: string): string {
    const value = this.#read(name)
    if (typeof value !== 'string' || value === '') throw this.#problem(name, 'must be a string')
    return value
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined
  }

  /** Returns a string, number or boolean as the string that it is compared as. */
  scalar(name: string): string {
    const value = this.#read(name)
    if (!['string', 'number', 'boolean'].includes(typeof value))
      throw this.#problem(name, 'must be a string, a number, true or false')
    return String(value)
  }

  choice<Value extends string>(name: string, ...values: Value[]): Value {
    const value = this.#read(name)
    const found = values.find(known => known === value)
    if (found === undefined) throw this.#problem(name, `must be one of ${values.join(', ')}`)
    return found
  }

  object(name: string): Parser {
    return new Parser(this.#read(name), this.#at(name))
  }

  /** Returns an empty list when omitted. */
  list(name: string): Parser[] {
    const value = this.#read(name) ?? []
    if (!Array.isArray(value)) throw this.#problem(name, 'must be a list')
    return value.map((entry, index) => new Parser(entry, `${this.#at(name)}.${index}`))
  }

  /** Returns an object of objects with arbitrary names; empty when omitted. */
  entries(name: string): [string, Parser][] {
    if (!this.has(name)) return []
    const object = this.object(name)
    return object.names().map(key => [key, object.object(key)])
  }

  /** Throws when a property was not read: an unknown name is usually a typo. */
  end(): void {
    const unknown = this.names().find(name => !this.#known.has(name))
    if (unknown !== undefined)
      throw new ConfigProblem(
        `${this.#at(unknown)} is not known; known here: ${[...this.#known].join(', ')}.`,
      )
  }

  #read(name: string): unknown {
    this.#known.add(name)
    return this.#value[name]
  }

  #at(name: string): string {
    return this.#path ? `${this.#path}.${name}` : name
  }

  #problem(name: string, expected: string): ConfigProblem {
    return new ConfigProblem(`${this.#at(name)} ${expected}.`)
  }
}
