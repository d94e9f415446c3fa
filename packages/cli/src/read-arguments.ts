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
    Object.entries(command.options).map(([name, { type }]) => [name, { type }] as const),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s/)
    throw wrongCall(command, `was called incorrectly: ${sentence}`)
  }
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
