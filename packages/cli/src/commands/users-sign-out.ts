import { type Database, findUserByEmail, signOut } from '@gatehouse-access/server'
import { type Command, CommandError } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { wrongCall } from '../read-arguments.ts'

export const usersSignOut: Command = {
  name: 'users sign-out',
  parameters: ['[EMAIL]'],
  about: 'Ends the sessions of one user, or of all users.',
  details:
    'Running servers drop the sessions within a second. Users can sign in again. Applications keep their tokens.',
  options: { all: { type: 'boolean', about: 'Ends the sessions of all users.' } },
  async run({ env, parameters, flag, print }) {
    const [email] = parameters
    if ((email === undefined) !== flag('all')) throw wrongCall(usersSignOut, 'takes either EMAIL or --all')
    await using instance = await openMigrated(env)
    const ended = await signOut(instance, email === undefined ? null : await findUser(instance.db, email))
    print(`${ended} ${ended === 1 ? 'session was' : 'sessions were'} ended.`)
  },
}

export async function findUser(db: Database, email: string): Promise<string> {
  const id = await findUserByEmail(db, email)
  if (!id) throw new CommandError(`There is no user ${email}: gatehouse users list lists them.`)
  return id
}
