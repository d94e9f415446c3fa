import type { Command } from './command.ts'

export function describeAll(commands: readonly Command[]): string {
  return [
    'The command of the operator. It reads the same environment as the service.',
    '',
    ...list(commands),
    '',
    'gatehouse COMMAND --help says more of one; gatehouse --version prints the version.',
  ].join('\n')
}

/** Commands that begin with the same word. */
export function describeGroup(commands: readonly Command[]): string {
  return [...list(commands), '', `gatehouse ${commands[0]?.name} --help says more of one.`].join('\n')
}

function list(commands: readonly Command[]): string[] {
  const width = Math.max(...commands.map(command => signature(command).length))
  return commands.map(command => `  gatehouse ${signature(command).padEnd(width)}  ${command.about}`)
}

export function describeCommand(command: Command): string {
  const options = Object.entries(command.options).map(
    ([name, { value, about }]) => [`--${name}${value ? ` ${value}` : ''}`, about] as const,
  )
  const width = Math.max(0, ...options.map(([name]) => name.length))
  return [
    `gatehouse ${signature(command)}${options.length > 0 ? ' [options]' : ''}`,
    '',
    command.about,
    ...(command.details ? ['', command.details] : []),
    ...(options.length > 0
      ? ['', ...options.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)]
      : []),
  ].join('\n')
}

function signature({ name, parameters }: Command): string {
  return [name, ...parameters].join(' ')
}
