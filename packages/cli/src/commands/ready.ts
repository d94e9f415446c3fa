import { askService } from '../ask-service.ts'
import { type Command, CommandError } from '../command.ts'
import { readPlainConfig } from '../instance.ts'

export const ready: Command = {
  name: 'ready',
  parameters: [],
  about: 'Succeeds if the service on this machine is ready: for health checks of containers.',
  options: {},
  async run({ env, print }) {
    const config = readPlainConfig(env)
    const { status, text } = await askService(config, '/readyz').catch(error => {
      throw new CommandError(
        `The service at port ${config.port} cannot be reached: ${error.code ?? error.message}.`,
      )
    })
    if (status !== 200) throw new CommandError(`/readyz answers ${status}: ${text}`)
    print(text)
  },
}
