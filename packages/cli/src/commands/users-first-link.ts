import { type Command, CommandError } from '../command.ts'
import { findFirstLink } from '../first-link.ts'

export const usersFirstLink: Command = {
  name: 'users first-link',
  parameters: [],
  about: 'Prints a link with which the first owner signs up.',
  details:
    'The link works once, for a week, and only while there is no user. Whoever has it becomes the first user.',
  options: {},
  async run(input) {
    const link = await findFirstLink(input)
    if (link === undefined)
      throw new CommandError(
        'There are users already: an owner can invite others. gatehouse users list shows them.',
      )
    input.print(link)
  },
}
