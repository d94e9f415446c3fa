import { type Command, UsageError } from '../command.ts'
import { completeBash } from '../completion/bash.ts'
import { completeZsh } from '../completion/zsh.ts'

/** Given all commands, of which it is one. */
export function completionOf(all: () => readonly Command[]): Command {
  return {
    name: 'completion',
    parameters: ['bash|zsh'],
    about: 'Prints a script that lets the shell complete commands and options.',
    details: [
      'For bash, add to ~/.bashrc:  source <(gatehouse completion bash)',
      'For zsh, add to ~/.zshrc:    source <(gatehouse completion zsh)',
    ].join('\n'),
    options: {},
    async run({ parameters: [shell], print }) {
      if (shell === 'bash') return print(completeBash(all()))
      if (shell === 'zsh') return print(completeZsh(all()))
      throw new UsageError(`gatehouse completion knows bash and zsh, not ${shell}.`)
    },
  }
}
