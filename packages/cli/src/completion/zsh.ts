import type { Command } from '../command.ts'
import { byLength, firstWords } from './bash.ts'

/** A script for zsh, which shows what each word is about. */
export function completeZsh(commands: readonly Command[]): string {
  const groups = firstWords(commands).filter(word => commands.some(({ name }) => name.startsWith(`${word} `)))
  return `#compdef gatehouse
_gatehouse() {
  local -a entries
  case "\${(j: :)words[2,CURRENT-1]} " in
    ' ') entries=(${firstWords(commands)
      .map(word => entry(word, aboutOf(commands, word)))
      .join(' ')}) ;;
${groups.map(group => `    '${group} ') entries=(${afterGroup(commands, group).join(' ')}) ;;`).join('\n')}
${byLength(commands)
  .map(command => `    '${command.name} '*) entries=(${optionEntries(command).join(' ')}) ;;`)
  .join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* || \${#entries} -gt 0 ]]; then _describe gatehouse entries || _files; else _files; fi
}
whence compdef >/dev/null || { autoload -Uz compinit && compinit; }
compdef _gatehouse gatehouse
`
}

function aboutOf(commands: readonly Command[], word: string): string {
  const own = commands.find(({ name }) => name === word)
  if (own) return own.about
  const seconds = commands.flatMap(({ name }) =>
    name.startsWith(`${word} `) ? [name.slice(word.length + 1)] : [],
  )
  return seconds.join(', ')
}

function afterGroup(commands: readonly Command[], group: string): string[] {
  const seconds = commands.filter(({ name }) => name.startsWith(`${group} `))
  const own = commands.find(({ name }) => name === group)
  const entries = seconds.map(({ name, about }) => entry(name.slice(group.length + 1), about))
  return [...entries, ...(own ? optionEntries(own) : [])]
}

function optionEntries({ options }: Command): string[] {
  return Object.entries(options).map(([name, { about }]) => entry(`--${name}`, about))
}

/** In single quotes; a colon separates the word from what it is about. */
function entry(word: string, about: string): string {
  return `'${word.replaceAll(':', '\\:')}:${about.replaceAll("'", "'\\''")}'`
}
