import { type Command, CommandError } from '../command.ts'
import { readPlainConfig } from '../instance.ts'

export const ready: Command = {
  name: 'ready',
  parameters: [],
  about: 'Succeeds if the service on this machine is ready: for health checks of containers.',
  options: {},
  async run({ env, print }) {
    const { host, port } = readPlainConfig(env)
    const name =
      host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
    const url = `http://${name}:${port}/readyz`
    const response = await fetch(url).catch(error => {
      throw new CommandError(`${url} cannot be reached: ${error.cause?.code ?? error.message}.`)
    })
    const answer = await response.text()
    if (!response.ok) throw new CommandError(`${url} answers ${response.status}: ${answer}`)
    print(answer)
  },
}
