import { type Endpoint, endpoints, type Kind, prefixes } from '@gatehouse-access/api'

export type Answer = Record<string, unknown>
export type Run = (endpoint: Endpoint, ids: Readonly<Record<string, string>>) => Promise<Answer>

/** Kinds that others refer to come first. Deletes run in reverse order. */
const order = [
  'organization',
  'product',
  'tag',
  'site',
  'device',
  'gadget',
  'schedule',
  'gadget_trigger',
  'notification_target',
  'card',
  'member_group',
  'member',
]

function rank({ resource }: Endpoint): number {
  const place = order.indexOf(resource.kind)
  return place < 0 ? order.length : place
}

const phases = ['create', 'action', 'command', 'list', 'query', 'get', 'edit', 'bulk'] as const

function inOrder(): Endpoint[] {
  const sorted = endpoints.toSorted((a, b) => rank(a) - rank(b))
  const isLate = ({ id }: Endpoint) => taking.has(id) || final.has(id)
  const rest = phases.flatMap(phase => sorted.filter(each => each.verb === phase && !isLate(each)))
  const deletes = sorted.toReversed().filter(({ verb }) => verb === 'delete')
  const those = (ids: ReadonlySet<string>) => sorted.filter(({ id }) => ids.has(id))
  return [...rest, ...those(taking), ...deletes, ...those(final)]
}

/** Nothing but a deletion can be done to a card of a member after it is lost. */
const taking: ReadonlySet<string> = new Set(['member_card.lost'])

/** Nothing can be done to a member after these. */
const final: ReadonlySet<string> = new Set(['member.erase', 'erasure.create'])

/** Runs every endpoint once, with the IDs that earlier responses returned, and those of what is not created over HTTP. */
export async function walkEndpoints(
  run: Run,
  known: Readonly<Record<string, string>>,
): Promise<Map<Endpoint, Answer>> {
  const ids: Record<string, string> = { product_id: 'controller', action_id: 'open', ...known }
  const answers = new Map<Endpoint, Answer>()
  for (const endpoint of inOrder()) {
    const answer = await run(endpoint, ids)
    answers.set(endpoint, answer)
    rememberId(ids, endpoint, answer)
  }
  return answers
}

/** What they are asked of is gone, and the answer is another one. */
const replacing: ReadonlySet<string> = new Set(['member_card.replace'])

function rememberId(ids: Record<string, string>, { id, verb, resource }: Endpoint, answer: Answer): void {
  const name = `${resource.kind as Kind}_id`
  const [first] = (answer.data ?? [answer]) as Answer[]
  if (typeof answer.webhook_delivery_id === 'string') ids.webhook_delivery_id = answer.webhook_delivery_id
  const isNew = verb === 'create' || replacing.has(id) || (verb === 'list' && ids[name] === undefined)
  if (isNew && resource.kind in prefixes && typeof first?.id === 'string') ids[name] = first.id
}
