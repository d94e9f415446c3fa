import { resetFactors } from '@gatehouse/server'
import type { Command } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { findUser } from './users-sign-out.ts'

export const usersResetFactors: Command = {
  name: 'users reset-factors',
  parameters: ['EMAIL'],
  about: 'Removes passkeys, authenticator app and recovery codes of a user who lost them.',
  details:
    'Make sure first that it is this person who asks, as surely as when the account was made. The password stays, and all sessions end.',
  options: {},
  async run({ env, parameters, print }) {
    const [email = ''] = parameters
    await using instance = await openMigrated(env)
    await resetFactors(instance, await findUser(instance.db, email))
    print(`${email} signs in with the password alone now, until new factors are set up.`)
  },
}
