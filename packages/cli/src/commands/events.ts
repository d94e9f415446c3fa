import type { Client } from '@gatehouse-access/sdk'
import { type Command, type Input, jsonOption, organizationOption } from '../command.ts'
import { type Event, eventExpands, eventHeadings, formatEvent, type Told } from '../describe-event.ts'
import { findByName } from '../find-by-name.ts'
import { followEvents } from '../follow-events.ts'
import { openClient, urlOption } from '../open-client.ts'
import { readCount } from '../read-arguments.ts'
import { readTime } from '../read-time.ts'
import { formatTable } from '../table.ts'

const usualLimit = 20
/** Events of one request. Each may come with a group of 500 rules, and an answer has room for some 80 of these. */
const largestPage = 50

export const events: Command = {
  name: 'events',
  parameters: [],
  about: 'Lists the latest events, the newest last, and goes on with those that happen.',
  options: {
    follow: { type: 'boolean', about: 'Go on with what happens, until you stop it.' },
    count: { type: 'string', value: 'N', about: 'With --follow, stop after so many.' },
    limit: { type: 'string', value: 'N', about: `How many to list. Defaults to ${usualLimit}.` },
    since: { type: 'string', value: 'TIME', about: 'Only since then, such as 2h or 2027-01-31T18:00.' },
    type: { type: 'string', value: 'TYPE', about: 'Only this object type, such as gadget_action.' },
    denied: { type: 'boolean', about: 'Only denials.' },
    door: { type: 'string', value: 'DOOR', about: 'Only at this door: its name or ID.' },
    member: { type: 'string', value: 'MEMBER', about: 'Only of this member: the name or ID.' },
    organization: organizationOption,
    url: urlOption,
    json: jsonOption,
  },
  async run(input) {
    const limit = readCount(input, 'events', 'limit', usualLimit)
    let left = readCount(input, 'events', 'count', Number.POSITIVE_INFINITY)
    const since = input.text('since')
    const time = since === undefined ? undefined : readTime('since', since, 'past')
    const client = await openClient(input)
    const wanted = await readWish(input, client)
    if (!input.flag('follow')) return printAll(input, await listLatest(client, wanted, time, limit))
    const follow = followEvents<Told>(client, {
      expand: eventExpands,
      before: () => listLatestAsync(client, wanted, time, limit),
    })
    for await (const event of follow) {
      if (!isWanted(event, wanted)) continue
      printOne(input, event)
      if (--left < 1) return
    }
  },
}

/** Filters of `GET /events`. */
interface Wish {
  readonly 'object.type'?: Event['object']['type']
  readonly 'object.gadget_id'?: string
  readonly 'subject.member_id'?: string
}

async function readWish(input: Input, client: Client): Promise<Wish> {
  const [door, member] = [input.text('door'), input.text('member')]
  const type = input.flag('denied') ? 'access_denial' : input.text('type')
  const gadget = door && (await findByName(client.gadgets, { prefix: 'gad_', what: 'door', wanted: door }))
  const person =
    member && (await findByName(client.members, { prefix: 'mem_', what: 'member', wanted: member }))
  return {
    ...(type && { 'object.type': type as Event['object']['type'] }),
    ...(gadget && { 'object.gadget_id': gadget.id }),
    ...(person && { 'subject.member_id': person.id }),
  }
}

function isWanted({ object, subject }: Event, wish: Wish): boolean {
  const pairs = [
    [wish['object.type'], object.type],
    [wish['object.gadget_id'], object.gadget_id],
    [wish['subject.member_id'], subject.member_id],
  ]
  return pairs.every(([wanted, given]) => wanted === undefined || wanted === given)
}

async function listLatest(client: Client, wish: Wish, since: string | undefined, limit: number) {
  const query = {
    ...wish,
    limit: Math.min(largestPage, Math.max(1, limit)),
    sort: 'created_at:desc',
    expand: eventExpands,
    ...(since !== undefined && { 'created_at:ge': since }),
  } as const
  const found: (Event & Told)[] = []
  if (limit > 0)
    for await (const event of client.events.all<Told>(query)) if (found.push(event) >= limit) break
  return found.reverse()
}

async function* listLatestAsync(...wanted: Parameters<typeof listLatest>): AsyncGenerator<Event & Told> {
  yield* await listLatest(...wanted)
}

function printAll(input: Input, found: readonly (Event & Told)[]): void {
  if (input.flag('json')) for (const event of found) printOne(input, event)
  else input.print(formatTable(eventHeadings, found.map(formatEvent)))
}

function printOne(input: Input, event: Event & Told): void {
  const columns = formatEvent(event).filter(column => column !== '')
  input.print(input.flag('json') ? JSON.stringify(event) : columns.join('  '))
}
