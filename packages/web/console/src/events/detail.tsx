import { useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { ExplainedRules } from '../groups/explained-rules.tsx'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { doorSentence } from '../modes/explained-door.ts'
import { atTheDoor, nextOpening } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { Moment } from '../parts/time.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { EventSentence } from './event-line.tsx'
import { methodTitle } from './method-words.ts'
import { reasonText } from './reason-words.ts'

export function EventDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'events', LiveEvent>('events', id, eventExpands)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown event={data} />
}

function Shown({ event }: { event: LiveEvent }) {
  const { subject, object, explanation } = event
  return (
    <Page
      title="Event"
      narrow
      trail={[['Events', '/events']]}
      subtitle={
        <span className="event-alone">
          <EventSentence event={event} />
        </span>
      }
    >
      <Section title="What happened">
        <Facts
          facts={[
            ['Occurred', <Moment key="at" at={event.occurred_at} />],
            ['Recorded', <Moment key="stored" at={event.recorded_at} />],
            ['Method', subject.access_method ? methodTitle(subject.access_method) : '–'],
            ['IP address', subject.ip_address ?? '–'],
            ['Client', clientWords(event)],
            ...(object.type === 'access_denial' ? ([['Reason', reasonText(object.reason)]] as const) : []),
            [
              'ID',
              <span key="id" className="mono">
                {event.id}
              </span>,
            ],
          ]}
        />
      </Section>
      {explanation && (
        <Section title="Why" about="Every rule that was checked, and why it did not apply">
          <DoorTimes event={event} next={explanation.next_allowed_at ?? null} />
          <ExplainedRules rules={explanation.rules} />
        </Section>
      )}
      <Section title="API response">
        <pre className="events-json">{JSON.stringify(withoutExpands(event), null, 2)}</pre>
      </Section>
    </Page>
  )
}

/** Shows the local time at the door when access was denied, and when access would have been allowed. */
function DoorTimes({ event, next }: { event: LiveEvent; next: string | null }) {
  const gadget = useObject('gadgets', event.object.gadget_id ?? null)
  const { data: zone } = useZone(gadget.data?.site_id)
  if (!zone) return null
  return (
    <p className="events-door">
      {doorSentence(event.explanation?.door, zone)} {atTheDoor(event.occurred_at, zone)}{' '}
      {nextOpening(next, zone)}
    </p>
  )
}

function clientWords({ subject: { client } }: LiveEvent): string {
  if (!client) return '–'
  const words = [client.app_name, client.browser, client.os, client.device_model].filter(Boolean)
  return words.join(', ') || client.user_agent || '–'
}

function withoutExpands(event: LiveEvent): object {
  return Object.fromEntries(Object.entries(event).filter(([name]) => !/^(object|subject)_/.test(name)))
}
