import type { Command } from './command.ts'

export function describeAll(commands: readonly Command[]): string {
  return [
    'Acts on a service: by the key in GATEHOUSE_API_KEY, by gatehouse login, or on the instance of this machine, with the',
    'same environment variables as the service.',
    '',
    ...list(commands),
    '',
    'Run gatehouse COMMAND --help for details, or gatehouse --version for the version.',
  ].join('\n')
}

/** Describes the commands that start with the same word. */
export function describeGroup(commands: readonly Command[]): string {
  return [...list(commands), '', `Run gatehouse ${commands[0]?.name} --help for details.`].join('\n')
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
