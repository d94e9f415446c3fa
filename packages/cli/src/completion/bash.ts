import type { Command } from '../command.ts'

/** A script for bash: everything is known when it is made, so that completing starts no process. */
export function completeBash(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name)
  const groups = [...new Set(names.filter(name => name.includes(' ')).map(name => name.split(' ', 1)[0]))]
  return `_gatehouse() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
    ' ') words='${firstWords(commands).join(' ')}' ;;
${groups.map(group => `    '${group} ') words='${afterGroup(commands, group ?? '').join(' ')}' ;;`).join('\n')}
${byLength(commands)
  .map(command => `    '${command.name} '*) words='${optionsOf(command).join(' ')}' ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _gatehouse gatehouse
`
}

/** The longest name first, so that `alarms ack` is not taken for `alarms`. */
export function byLength(commands: readonly Command[]): Command[] {
  return commands.toSorted((a, b) => b.name.length - a.name.length)
}

export function firstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ', 1)[0] ?? ''))].sort()
}

/** What can follow the first word: second words, and the options of the command that is only that word. */
export function afterGroup(commands: readonly Command[], group: string): string[] {
  const seconds = commands.flatMap(({ name }) =>
    name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : [],
  )
  const own = commands.find(({ name }) => name === group)
  return [...seconds, ...(own ? optionsOf(own) : [])]
}

export function optionsOf({ options }: Command): string[] {
  return [...Object.keys(options).map(name => `--${name}`), '--help']
}
