import { serve as runService } from '@gatehouse-access/server'
import type { Command } from '../command.ts'

export const serve: Command = {
  name: 'serve',
  parameters: [],
  about: 'Runs the service until it gets SIGTERM or SIGINT.',
  options: {},
  run: ({ env }) => runService(env),
}
