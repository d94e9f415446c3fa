import { randomBytes } from 'node:crypto'
import { objectTypes } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import { signingKey } from '@gatehouse-access/server'
import { type Command, type Input, organizationOption, UsageError } from '../command.ts'
import { formatTime } from '../describe-alarm.ts'
import type { Event } from '../describe-event.ts'
import { followEvents } from '../follow-events.ts'
import { forwardEvent } from '../listen/forward-event.ts'
import { openClient, urlOption } from '../open-client.ts'
import { readCount } from '../read-arguments.ts'
import { readTime } from '../read-time.ts'

export const listen: Command = {
  name: 'listen',
  parameters: [],
  about: 'Forwards events to a URL as a webhook would, for development.',
  details: [
    'Each event is one POST with the body, headers and signatures of a webhook. The secret is made anew and printed once;',
    'set GATEHOUSE_WEBHOOK_SECRET to keep one. Nothing is stored at the service, and nothing is sent twice: a receiver',
    'that fails gets the event again by --replay.',
  ].join('\n'),
  options: {
    'forward-to': {
      type: 'string',
      value: 'URL',
      about: 'Where to send them, such as http://localhost:3000/hook.',
    },
    type: {
      type: 'string',
      takes: 'many',
      value: 'TYPE …',
      about: 'Only these object types. Defaults to all.',
    },
    since: { type: 'string', value: 'TIME', about: 'First what has happened since then, such as 2h.' },
    replay: { type: 'string', takes: 'many', value: 'EVENT …', about: 'Only these events, by their IDs.' },
    count: { type: 'string', value: 'N', about: 'Stop after so many events.' },
    organization: organizationOption,
    url: urlOption,
  },
  async run(input) {
    const target = readTarget(input)
    const types = readTypes(input)
    let left = readCount(input, 'listen', 'count', Number.POSITIVE_INFINITY)
    const since = input.text('since')
    const time = since === undefined ? undefined : readTime('since', since, 'past')
    const client = await openClient(input)
    const secret = input.env.GATEHOUSE_WEBHOOK_SECRET || `whsec_${randomBytes(32).toString('base64')}`
    if (!input.env.GATEHOUSE_WEBHOOK_SECRET) input.print(`Events are signed with ${secret}`)
    const key = signingKey(secret)
    const wanted = input.texts('replay')
    const found = wanted.length > 0 ? replay(client, wanted) : follow(input, client, { types, time })
    for await (const event of found) {
      const { outcome, is_accepted } = await forwardEvent(target, key, event)
      const what = `${formatTime(event.created_at)}  ${event.verb} ${event.object.type}  ${event.id}`
      input.print(`${what}  → ${outcome}`)
      if (!is_accepted && wanted.length > 0) input.exitWith(1)
      if (--left < 1) return
    }
  },
}

function readTarget(input: Input): URL {
  const given = input.text('forward-to')
  const url = given === undefined ? null : URL.parse(given)
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new UsageError(
    `--forward-to must be a URL like http://localhost:3000/hook, not ${given ?? 'missing'}.`,
  )
}

function readTypes(input: Input): Event['object']['type'][] {
  return input.texts('type').map(given => {
    const known = objectTypes.find(type => type === given)
    if (!known) throw new UsageError(`--type must be an object type like gadget_action, not ${given}.`)
    return known
  })
}

async function* replay(client: Client, ids: readonly string[]): AsyncGenerator<Event> {
  for (const id of ids) yield await client.events.get(id)
}

interface Wish {
  readonly types: readonly Event['object']['type'][]
  readonly time: string | undefined
}

function follow(input: Input, client: Client, { types, time }: Wish): AsyncGenerator<Event> {
  return followEvents(client, {
    ...(types.length > 0 && { filter: types.map(object_type => ({ object_type })) }),
    ...(time !== undefined && { before: () => listSince(client, types, time) }),
    onReady: () => input.print('Waiting for events. Press Ctrl-C to stop.'),
  })
}

async function* listSince(client: Client, types: Wish['types'], time: string): AsyncGenerator<Event> {
  const query = { 'recorded_at:ge': time, sort: 'recorded_at:asc', limit: 100 } as const
  for await (const event of client.events.all(query))
    if (types.length === 0 || types.includes(event.object.type)) yield event
}
