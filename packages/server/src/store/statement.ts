/** Adds a placeholder to an SQL text. `read` returns its value for a given input. */
export type Bind<Input> = (read: (input: Input) => unknown, cast?: string) => string

/** An SQL text, and the values of its placeholders for a given input. */
export interface Statement<Input> {
  readonly text: string
  paramsOf(input: Input): unknown[]
}

export function makeStatement<Input>(write: (bind: Bind<Input>) => string): Statement<Input> {
  const reads: ((input: Input) => unknown)[] = []
  const text = write((read, cast = '') => `$${reads.push(read)}${cast && `::${cast}`}`)
  return { text, paramsOf: input => reads.map(read => read(input)) }
}

const mostStatements = 1000

/**
 * Caches statements by shape, which covers everything that the text depends on. Each text is built once,
 * because most requests share a shape. Clients influence the shapes, so a full cache is cleared.
 */
export function statementsByShape<Input>(): (
  shape: string,
  write: (bind: Bind<Input>) => string,
) => Statement<Input> {
  const known = new Map<string, Statement<Input>>()
  return (shape, write) => {
    const held = known.get(shape)
    if (held) return held
    if (known.size >= mostStatements) known.clear()
    const made = makeStatement(write)
    known.set(shape, made)
    return made
  }
}
