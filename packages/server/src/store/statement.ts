/** Puts a placeholder into an SQL text: it says how its value is read off what the statement is asked with. */
export type Bind<Input> = (read: (input: Input) => unknown, cast?: string) => string

/** An SQL text, and the values of its placeholders for one input. */
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
 * Statements by their shape: whatever the text depends on. Each is written once, since most requests are alike. Clients
 * choose the shapes, so when there are many, all are forgotten.
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
