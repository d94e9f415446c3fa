export interface Option {
  readonly type: 'string' | 'boolean'
  /** What stands for the value in the help. */
  readonly value?: string
  readonly about: string
}

/** One thing the command line can do. */
export interface Command {
  /** One word or two: `token`, `cards import`. */
  readonly name: string
  /** What must follow the name, in order; [in brackets]: may. */
  readonly parameters: readonly string[]
  readonly about: string
  readonly details?: string
  readonly options: { readonly [name: string]: Option }
  run(input: Input): Promise<void>
}

/** Where a command reads and writes: the process, or a test. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: Output
  readonly stderr: Output
}

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
}

export interface Input {
  readonly env: NodeJS.ProcessEnv
  /** One for each of the command's parameters. */
  readonly parameters: readonly string[]
  text(option: string): string | undefined
  flag(option: string): boolean
  readonly terminal: Terminal
  print(line: string): void
}

/** The command was not called as it must be. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command cannot do what was asked; the message is a sentence that says why. */
export class CommandError extends Error {
  override name = 'CommandError'
}

export const organizationOption: Option = {
  type: 'string',
  value: 'ID',
  about: 'The organization. Defaults to the oldest one.',
}
export const jsonOption: Option = { type: 'boolean', about: 'Print JSON.' }
