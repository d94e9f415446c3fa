import { resetFactors } from '@gatehouse-access/server'
import type { Command } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { findUser } from './users-sign-out.ts'

export const usersResetFactors: Command = {
  name: 'users reset-factors',
  parameters: ['EMAIL'],
  about: 'Removes the passkeys, authenticator app and recovery codes of a user who lost them.',
  details:
    'First verify the identity of the person who asks, as carefully as when the account was created. The password stays, and all sessions end.',
  options: {},
  async run({ env, parameters, print }) {
    const [email = ''] = parameters
    await using instance = await openMigrated(env)
    await resetFactors(instance, await findUser(instance.db, email))
    print(`${email} now signs in with only the password, until new factors are set up.`)
  },
}
