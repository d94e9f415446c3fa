import type { Client } from '@gatehouse-access/sdk'
import { type Command, CommandError, type Input, jsonOption, organizationOption } from '../command.ts'
import { type Job, sayState } from '../describe-job.ts'
import { openClient, urlOption } from '../open-client.ts'

const options = { organization: organizationOption, url: urlOption, json: jsonOption }

export const jobsCancel: Command = {
  name: 'jobs cancel',
  parameters: ['ID'],
  about: 'Stops a job. What is done stays.',
  options,
  run: input => change(input, 'canceled', (client, id) => client.jobs.cancel(id)),
}

export const jobsUndo: Command = {
  name: 'jobs undo',
  parameters: ['ID'],
  about: 'Sets back what a job did, and waits until that is done.',
  options,
  run: input =>
    change(input, 'undone', async (client, id) => client.jobs.wait((await client.jobs.undo(id)).id)),
}

async function change(
  input: Input,
  done: string,
  ask: (client: Client, id: string) => Promise<Job>,
): Promise<void> {
  const [id = ''] = input.parameters
  const client = await openClient(input)
  const job = await ask(client, id).catch(error => {
    throw new CommandError(`${id} was not ${done}: ${error.message}.`, { cause: error })
  })
  input.print(input.flag('json') ? JSON.stringify(job) : sayState(job))
}
