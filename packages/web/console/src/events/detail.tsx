import { useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { t } from '../language/t.ts'
import { eventExpands, type LiveEvent } from '../live/stream.ts'
import { exactAt, inZone } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { Changes } from './changes.tsx'
import { EventSentence } from './event-line.tsx'
import { GiveCard } from './give-card.tsx'
import { methodTitle } from './method-words.ts'
import { reasonText } from './reason-words.ts'
import { Why } from './why.tsx'

export function EventDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'events', LiveEvent>('events', id, eventExpands)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown event={data} />
}

function Shown({ event }: { event: LiveEvent }) {
  const { subject, object, explanation } = event
  const { data: zone } = useZone(object.site_id ?? undefined)
  const timeAt = (at: string) => inZone(exactAt(at, zone), zone)
  return (
    <Page
      title="Event"
      narrow
      trail={[[t('Events'), '/events']]}
      subtitle={
        <span className="event-alone">
          <EventSentence event={event} />
        </span>
      }
    >
      <Section title="What happened">
        <Facts
          facts={[
            [t('Occurred'), timeAt(event.occurred_at)],
            [t('Recorded'), timeAt(event.recorded_at)],
            [t('Method'), subject.access_method ? methodTitle(subject.access_method) : '–'],
            [t('IP address'), subject.ip_address ?? '–'],
            [t('Client'), clientWords(event)],
            ...(object.type === 'access_denial' ? ([[t('Reason'), reasonText(object.reason)]] as const) : []),
            [
              'ID',
              <span key="id" className="mono">
                {event.id}
              </span>,
            ],
          ]}
        />
      </Section>
      {isOfUnknownCard(event) && <GiveCard event={event} />}
      {object.changes && <Changes object={object} />}
      {(explanation || object.decided_by) && <Why event={event} />}
      <Section title="API response">
        <pre className="events-json">{JSON.stringify(withoutExpands(event), null, 2)}</pre>
      </Section>
    </Page>
  )
}

function isOfUnknownCard({ subject, object }: LiveEvent): boolean {
  const { type, reason } = object
  return type === 'access_denial' && reason === 'unknown_credential' && subject.access_method === 'card'
}

function clientWords({ subject: { client } }: LiveEvent): string {
  if (!client) return '–'
  const words = [client.app_name, client.browser, client.os, client.device_model].filter(Boolean)
  return words.join(', ') || client.user_agent || '–'
}

function withoutExpands(event: LiveEvent): object {
  return Object.fromEntries(Object.entries(event).filter(([name]) => !/^(object|subject)_/.test(name)))
}
