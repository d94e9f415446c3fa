import { type Command, CommandError, jsonOption } from '../command.ts'
import { askOauth, isRefused } from '../login/ask-oauth.ts'
import { findRemoteAccess } from '../login/remote-access.ts'

export const whoami: Command = {
  name: 'whoami',
  parameters: [],
  about: 'Says where this terminal is logged in, as whom, and what it can do.',
  options: { json: jsonOption },
  async run(input) {
    const access = await findRemoteAccess(input)
    if (!access) throw new CommandError('You are not logged in: run gatehouse login.')
    const { id, name } = await access.client.organization.get()
    const url = access.base_url.replace(/\/v2$/, '')
    const by = input.env.GATEHOUSE_API_KEY ? 'key' : 'login'
    const about = by === 'login' ? await introspect(url, await access.token()) : {}
    const answer = { url, organization_id: id, organization: name, by, ...about }
    if (input.flag('json')) return input.print(JSON.stringify(answer))
    input.print(`${'user' in answer ? `${answer.user} for ` : ''}${name} (${id}) at ${url}`)
    if ('scope' in answer) input.print(`Scopes: ${answer.scope}`)
    if (by === 'key') input.print('By the key in GATEHOUSE_API_KEY.')
  },
}

interface Introspection {
  readonly active: boolean
  readonly scope?: string
  readonly username?: string
}

async function introspect(url: string, token: string): Promise<{ user?: string; scope?: string }> {
  const answer = await askOauth<Introspection>(url, 'introspect', { token })
  if (isRefused(answer) || !answer.active) return {}
  const { username, scope } = answer
  return { ...(username !== undefined && { user: username }), ...(scope !== undefined && { scope }) }
}
