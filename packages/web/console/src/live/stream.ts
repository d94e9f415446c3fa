import type { ObjectOf, Resources } from '@gatehouse-access/api'
import type { Client } from '@gatehouse-access/sdk'
import type { AlarmType } from '../alarms/alarm-words.ts'

type Named = { readonly id: string; readonly name: string | null } | null
type Card = { readonly uid?: string | null; readonly printed_code?: string | null }
export type LiveEvent = ObjectOf<Resources['event']> & {
  readonly object_gadget?: Named
  readonly object_member?: Named
  readonly object_device?: Named
  readonly object_site?: (NonNullable<Named> & { readonly timezone?: string }) | null
  readonly object_member_group?: Named
  readonly object_schedule?: Named
  readonly object_calendar?: Named
  readonly object_calendar_day?: Named
  readonly object_unlock_rule?: Named
  readonly object_emergency_plan?: Named
  readonly object_emergency?: Named
  readonly object_alarm?: { readonly id: string; readonly type: AlarmType } | null
  readonly object_alarm_rule?: Named
  readonly object_notification_target?: Named
  readonly object_card?: Card | null
  readonly object_member_email?: { readonly email: string } | null
  readonly object_member_card?: (Card & { readonly name?: string | null }) | null
  readonly object_tag?: Named
  readonly subject_member?: Named
  readonly subject_user?: (Named & { readonly email?: string }) | null
  readonly subject_oauth_application?: Named
}

/** The related objects that an event line shows. */
export const eventExpands = [
  'object_gadget',
  'object_member',
  'object_device',
  'object_site',
  'object_member_group',
  'object_schedule',
  'object_calendar',
  'object_calendar_day',
  'object_unlock_rule',
  'object_emergency_plan',
  'object_emergency',
  'object_alarm',
  'object_alarm_rule',
  'object_notification_target',
  'object_card',
  'object_member_email',
  'object_member_card',
  'object_tag',
  'subject_member',
  'subject_user',
  'subject_oauth_application',
]

export type StreamState = 'connecting' | 'live' | 'waiting'

interface StreamListener {
  onEvents(events: readonly LiveEvent[]): void
  onState(state: StreamState): void
}

interface Message {
  readonly type: string
  readonly cursor?: string
  readonly event?: LiveEvent
  readonly error?: { readonly type: string; readonly args: Record<string, string> }
}

const gather = 200
const longestWait = 15_000

/**
 * Streams every event of the organization, in batches, so that many events cost one render.
 *
 *   connecting ── ticket, socket, ready ──▶ live ── closed ──▶ waiting (1 s, doubling to 15) ──▶ connecting
 *
 * Sends the last cursor seen as `after`, so that no event is lost or repeated after a reconnect. If a
 * restored service does not know the cursor, the stream continues from the cursor that the service names.
 */
export function openStream(client: Client, { onEvents, onState }: StreamListener): () => void {
  let cursor: string | undefined
  let socket: WebSocket | undefined
  let wait = 1000
  let timer: ReturnType<typeof setTimeout> | undefined
  let is_closed = false
  let batch: LiveEvent[] = []
  let flushing: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    flushing = undefined
    const events = batch
    batch = []
    onEvents(events)
  }
  const take = (text: string) => {
    const message = JSON.parse(text) as Message
    if (message.error?.type === 'cursor_ahead') {
      cursor = message.error.args.cursor
      return subscribe()
    }
    cursor = message.cursor ?? cursor
    if (message.type === 'ready') {
      wait = 1000
      onState('live')
    }
    if (message.event) batch.push(message.event)
    if (batch.length > 0) flushing ??= setTimeout(flush, gather)
  }
  const subscribe = () => {
    const after = cursor && { after: cursor }
    socket?.send(JSON.stringify({ type: 'subscribe', expand: eventExpands, ...after }))
  }
  const again = () => {
    if (is_closed) return
    onState('waiting')
    timer = setTimeout(connect, wait * (0.5 + Math.random() / 2))
    wait = Math.min(wait * 2, longestWait)
  }
  const connect = async () => {
    onState('connecting')
    try {
      const { ticket } = await client.events.issue_stream_ticket()
      if (is_closed) return
      socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/v2/events/stream?ticket=${ticket}`)
    } catch {
      return again()
    }
    socket.onopen = subscribe
    socket.onmessage = ({ data }) => take(String(data))
    socket.onclose = again
  }
  void connect()
  return () => {
    is_closed = true
    clearTimeout(timer)
    clearTimeout(flushing)
    if (socket) socket.onclose = null
    socket?.close()
  }
}
