export interface Option {
  readonly type: 'string' | 'boolean'
  /** The placeholder for the value in the help. */
  readonly value?: string
  /** It takes so many values, or any number of them: `--keep A B C`. */
  readonly takes?: 2 | 'many'
  readonly about: string
}

/** A command of the command line. */
export interface Command {
  /** One or two words: `token`, `cards import`. */
  readonly name: string
  /** The arguments after the name, in order. Optional arguments are [in brackets]. */
  readonly parameters: readonly string[]
  readonly about: string
  readonly details?: string
  readonly options: { readonly [name: string]: Option }
  /** It takes long, and lets the service have the processors first. */
  readonly gives_way?: boolean
  run(input: Input): Promise<void>
}

/** The streams of a command. Tests replace those of the process. */
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
  /** One per given argument, in the order of the command's parameters. */
  readonly parameters: readonly string[]
  text(option: string): string | undefined
  /** The values of an option that takes several. */
  texts(option: string): readonly string[]
  flag(option: string): boolean
  readonly terminal: Terminal
  print(line: string): void
  /** Sets the exit code of a command that did its work. */
  exitWith(code: number): void
}

/** The command was called with wrong arguments. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command cannot do what was requested. The message is a sentence that says why. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** The command stopped to ask. The message says what would confirm it. */
export class ConfirmationNeeded extends CommandError {
  override name = 'ConfirmationNeeded'
}

export const organizationOption: Option = {
  type: 'string',
  value: 'ID',
  about: 'The organization. Defaults to the oldest one.',
}
export const jsonOption: Option = { type: 'boolean', about: 'Print JSON.' }
