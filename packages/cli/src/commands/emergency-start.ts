import { type Command, CommandError, jsonOption, organizationOption } from '../command.ts'
import { describeEmergency } from '../describe-emergency.ts'
import { findByName } from '../find-by-name.ts'
import { openClient, urlOption } from '../open-client.ts'

export const emergencyStart: Command = {
  name: 'emergency start',
  parameters: ['PLAN'],
  about: 'Starts an emergency plan at once, without asking.',
  details: 'PLAN is the name or the ID of a plan. gatehouse emergency watch tells which doors follow.',
  options: {
    reason: { type: 'string', value: 'TEXT', about: 'Why, for the record.' },
    drill: { type: 'boolean', about: 'Everything happens, and is marked as a drill.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [wanted = ''] = input.parameters
    const client = await openClient(input)
    const plan = await findByName(client.emergency_plans, { prefix: 'ep_', what: 'emergency plan', wanted })
    const reason = input.text('reason')
    const body = { emergency_plan_id: plan.id, is_drill: input.flag('drill'), ...(reason && { reason }) }
    const started = await client.emergencies.create(body).catch(error => {
      throw new CommandError(`${plan.name} was not started: ${error.message}.`, { cause: error })
    })
    if (input.flag('json')) return input.print(JSON.stringify(started))
    input.print(describeEmergency(started))
    input.print(`gatehouse emergency watch ${started.id} waits for the doors.`)
    input.print(`gatehouse emergency end ${started.id} ends it.`)
  },
}
