import { type Command, CommandError } from '../command.ts'
import { askOauth, describeRefusal, isRefused } from '../login/ask-oauth.ts'
import { readLogin, removeLogin } from '../login/stored-login.ts'

export const logout: Command = {
  name: 'logout',
  parameters: [],
  about: 'Ends the login of this terminal.',
  options: {},
  async run({ env, print }) {
    const login = readLogin(env)
    if (!login) return print('You are not logged in.')
    const { url, refresh_token } = login
    const answer = await askOauth(url, 'revoke', { token: refresh_token }).catch((error: Error) => ({
      error: error.message.replace(/\.$/, ''),
    }))
    removeLogin(env)
    if (isRefused(answer))
      throw new CommandError(
        `The login is gone from this machine, but ${url} did not end it (${describeRefusal(answer)}): revoke the Gatehouse command in the console, under Applications.`,
      )
    print(`You are logged out of ${url}.`)
  },
}
