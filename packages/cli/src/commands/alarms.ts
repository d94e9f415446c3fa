import type { Client } from '@gatehouse-access/sdk'
import { type Command, type Input, jsonOption, organizationOption } from '../command.ts'
import { type Alarm, alarmHeadings, formatAlarm, placesOfAlarms, type Told } from '../describe-alarm.ts'
import { printInstanceAlarms } from '../instance-alarms.ts'
import { openClient, urlOption } from '../open-client.ts'
import { readCount, wrongCall } from '../read-arguments.ts'
import { formatTable } from '../table.ts'
import { watchAlarms } from '../watch-alarms.ts'

const usualLimit = 50

export const alarms: Command = {
  name: 'alarms',
  parameters: [],
  about: 'Lists the newest alarms of an organization, or of the installation itself.',
  options: {
    open: { type: 'boolean', about: 'Only alarms that nobody has acknowledged or closed.' },
    watch: { type: 'boolean', about: 'Go on with those that begin or change, until you stop it.' },
    seconds: { type: 'string', value: 'N', about: 'Watch for so long.' },
    limit: { type: 'string', value: 'N', about: `How many to list. Defaults to ${usualLimit}.` },
    instance: {
      type: 'boolean',
      about: 'What is wrong with the installation: backups and certificates. --open: what still is.',
    },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const limit = readCount(input, 'alarms', 'limit', usualLimit)
    const seconds = readCount(input, 'alarms', 'seconds', 0)
    if (input.flag('instance')) {
      if (input.flag('watch')) throw wrongCall(alarms, 'cannot watch the installation')
      return printInstanceAlarms(input, limit)
    }
    const client = await openClient(input)
    if (!input.flag('watch')) return printList(input, client, limit)
    await watchAlarms(client, {
      begin: () => printList(input, client, limit),
      show: alarm => printOne(input, alarm),
      ...(seconds > 0 && { signal: AbortSignal.timeout(seconds * 1000) }),
    })
  },
}

async function printList(input: Input, client: Client, limit: number): Promise<void> {
  const rows: string[][] = []
  for await (const alarm of listAlarms(input, client, limit)) {
    if (input.flag('json')) input.print(JSON.stringify(alarm))
    rows.push(formatAlarm(alarm))
  }
  if (!input.flag('json')) input.print(formatTable(alarmHeadings, rows))
}

async function* listAlarms(input: Input, client: Client, limit: number): AsyncGenerator<Alarm & Told> {
  const query = {
    limit: Math.min(100, Math.max(1, limit)),
    sort: 'started_at:desc',
    expand: placesOfAlarms,
    ...(input.flag('open') && { state: 'open' as const }),
  } as const
  let left = limit
  for await (const alarm of client.alarms.all<Told>(query)) {
    if (left-- <= 0) return
    yield alarm
  }
}

function printOne(input: Input, alarm: Alarm & Told): void {
  if (input.flag('open') && alarm.state !== 'open') return
  input.print(input.flag('json') ? JSON.stringify(alarm) : formatAlarm(alarm).join('  '))
}
