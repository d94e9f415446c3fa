import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@gatehouse-access/sdk'
import { type Command, CommandError, jsonOption, organizationOption } from '../command.ts'
import { openClient, urlOption } from '../open-client.ts'
import { wrongCall } from '../read-arguments.ts'

type Erasure = Awaited<ReturnType<Client['erasures']['get']>>

export const privacyErase: Command = {
  name: 'privacy erase',
  parameters: ['MEMBER'],
  about: 'Erases a member for good: fields, credentials, sessions, mails, and the link to events.',
  details: [
    'MEMBER is the ID of a member, deleted or not. It cannot be undone, so the command asks for --yes; without it, it counts what',
    'would be erased. It waits until all is erased, or only devices that are offline are left.',
  ].join('\n'),
  options: {
    reference: { type: 'string', value: 'TEXT', about: 'A case number of yours, no name: it stays.' },
    'delete-events': { type: 'boolean', about: 'Also deletes what the member did at doors, whole.' },
    'include-cards': { type: 'boolean', about: "Also erases names and metadata of the member's cards." },
    yes: { type: 'boolean', about: 'Really erases.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const [member_id = ''] = input.parameters
    const reference = input.text('reference')
    if (!reference) throw wrongCall(privacyErase, 'takes --reference')
    const client = await openClient(input)
    const body = {
      member_id,
      reference,
      events: input.flag('delete-events') ? ('delete' as const) : ('unlink' as const),
      includes_cards: input.flag('include-cards'),
    }
    const begun = await client.erasures.create(body, { dry_run: !input.flag('yes') }).catch(error => {
      throw new CommandError(`${member_id} was not erased: ${error.message}.`, { cause: error })
    })
    const erasure = input.flag('yes') ? await follow(client, begun) : begun
    if (input.flag('json')) return input.print(JSON.stringify(erasure))
    input.print(
      input.flag('yes') ? describe(erasure) : `${describeCounts(erasure)} would be erased. Add --yes.`,
    )
  },
}

const look = 500

async function follow(client: Client, begun: Erasure): Promise<Erasure> {
  let erasure = begun
  while (erasure.state === 'running') {
    await sleep(look)
    erasure = await client.erasures.get(begun.id)
  }
  return erasure
}

function describe(erasure: Erasure): string {
  const { id, state, counts, receipt_hash } = erasure
  const receipt = receipt_hash ? ` Receipt ${receipt_hash}.` : ''
  switch (state) {
    case 'done':
      return `${id} is done: ${describeCounts(erasure)}.${receipt}`
    case 'waiting':
      return `${id} waits for ${counts.devices - counts.devices_done} of ${counts.devices} devices: ${describeCounts(erasure)} are erased.${receipt}`
    case 'blocked':
      return `${id} is blocked: a legal hold covers the member. It goes on by itself when the hold ends.`
    default:
      return `${id} is ${state}.`
  }
}

function describeCounts({ counts }: Erasure): string {
  return `${counts.objects} objects, ${counts.events} events, ${counts.deliveries} deliveries`
}
