import { parseArgs } from 'node:util'
import { type Command, type Input, UsageError } from './command.ts'

/** Parses the parameters and options of a call and checks them against the command's declaration. */
export function readArguments(command: Command, args: readonly string[]) {
  const { values, positionals } = parse(command, args)
  const least = command.parameters.filter(name => !name.startsWith('[')).length
  if (positionals.length < least || positionals.length > command.parameters.length)
    throw wrongCall(command, `takes ${describeCount(command)}, not ${positionals.length} arguments`)
  return { values, parameters: positionals }
}

function parse(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(
      ([name, { type, takes }]) => [name, { type, multiple: takes !== undefined }] as const,
    ),
  )
  try {
    return parseArgs({ args: repeatOptions(command, args), options, allowPositionals: true, strict: true })
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s/)
    throw wrongCall(command, `was called incorrectly: ${sentence}`)
  }
}

/** Names an option before each of its values, as `parseArgs` wants it. */
function repeatOptions(command: Command, args: readonly string[]): string[] {
  const repeated: string[] = []
  let open: { readonly name: string; left: number } | undefined
  for (const [index, arg] of args.entries()) {
    const takes = arg.startsWith('--') ? command.options[arg.slice(2)]?.takes : undefined
    if (takes !== undefined) open = { name: arg, left: takes === 'many' ? Number.POSITIVE_INFINITY : takes }
    else if (!open || arg.startsWith('--')) open = undefined
    else if (open.left-- < 1) open = undefined
    else if (args[index - 1] !== open.name) repeated.push(open.name)
    repeated.push(arg)
  }
  return repeated
}

function describeCount({ parameters }: Command): string {
  return parameters.length === 0 ? 'no arguments' : parameters.join(' ')
}

export function wrongCall({ name }: Pick<Command, 'name'>, problem: string): UsageError {
  return new UsageError(`gatehouse ${name} ${problem}; gatehouse ${name} --help explains it.`)
}

/** Reads an option as a whole number. */
export function readCount(input: Input, command: string, option: string, otherwise: number): number {
  const text = input.text(option)
  if (text === undefined) return otherwise
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw wrongCall({ name: command }, `takes a whole number as --${option}, not ${JSON.stringify(text)}`)
}
