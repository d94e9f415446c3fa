import { ApiError, ConnectionError } from '@gatehouse-access/sdk'
import { BackupError, DamagedError, giveWay, StartError } from '@gatehouse-access/server'
import about from '../package.json' with { type: 'json' }
import { type Command, CommandError, ConfirmationNeeded, type Terminal, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { describeAll, describeCommand, describeGroup } from './help.ts'
import { readArguments } from './read-arguments.ts'

/** Runs the command and returns the exit code: 1 for a failure, 2 for wrong usage, 3 if it stopped to ask. */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  terminal: Terminal = process,
): Promise<number> {
  try {
    let code = 0
    await dispatch(args, env, terminal, chosen => {
      code = chosen
    })
    return code
  } catch (error) {
    terminal.stderr.write(`${explain(error)}\n`)
    return error instanceof UsageError ? 2 : error instanceof ConfirmationNeeded ? 3 : 1
  }
}

async function dispatch(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  exitWith: (code: number) => void,
): Promise<void> {
  const [first] = args
  const print = (line: string) => void terminal.stdout.write(`${line}\n`)
  if (first === '--version') return print(about.version)
  if (first === undefined || first === '--help' || first === '-h') return print(describeAll(commands))
  if (first === 'help') return print(args.length > 1 ? describe(args.slice(1)) : describeAll(commands))
  if (args.includes('--help') || args.includes('-h')) return print(describe(args.filter(isWord)))
  const command = find(args)
  if (command.gives_way && terminal === process) giveWay()
  const { values, parameters } = readArguments(command, args.slice(command.name.split(' ').length))
  await command.run({
    env,
    terminal,
    print,
    exitWith,
    parameters,
    text: name => values[name] as string | undefined,
    texts: name => (values[name] ?? []) as string[],
    flag: name => values[name] === true,
  })
}

function isWord(text: string): boolean {
  return !text.startsWith('-')
}

/** Describes one command, or all commands that start with the word. */
function describe(words: readonly string[]): string {
  const [first, second] = words
  if (first === undefined) return describeAll(commands)
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0 || second !== undefined) return describeCommand(find(words))
  const own = commands.find(({ name }) => name === first)
  return own ? `${describeCommand(own)}\n\n${describeGroup(group)}` : describeGroup(group)
}

function find(args: readonly string[]): Command {
  const [first, second] = args
  const named = (wanted: string) => commands.find(({ name }) => name === wanted)
  const found = named(`${first} ${second}`) ?? named(String(first))
  if (found) return found
  const beginning = commands.find(({ name }) => name.startsWith(`${first} `))
  if (beginning && second === undefined)
    throw new UsageError(
      `gatehouse ${first} is not a complete command; gatehouse ${first} --help lists the commands that start with it.`,
    )
  const hint = beginning
    ? `; did you mean gatehouse ${beginning.name}?`
    : '; gatehouse --help lists them all.'
  throw new UsageError(
    `There is no command ${JSON.stringify(first)}${second && beginning ? ` ${JSON.stringify(second)}` : ''}${hint}`,
  )
}

/** An error that the user can fix is one sentence. Anything else is a bug and is shown with its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ApiError || error instanceof ConnectionError)
    return `The service did not do it: ${error.message}.`
  const known = [UsageError, CommandError, ConfirmationNeeded, StartError, BackupError, DamagedError].some(
    kind => error instanceof kind,
  )
  return known ? error.message : (error.stack ?? error.message)
}
