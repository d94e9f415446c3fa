import type { Place } from '../model.ts'
import { say } from '../texts.ts'

/** Call, email and directions. Contacts no other host until the guest taps. */
export function Contacts({ site }: { site: Place }) {
  const way = directions(site)
  if (!site.phone && !site.email && !way) return null
  return (
    <nav class="contacts" aria-label={site.name}>
      {site.phone && <a href={`tel:${site.phone.replace(/[^\d+]/g, '')}`}>{say('call')}</a>}
      {site.email && <a href={`mailto:${encodeURIComponent(site.email)}`}>{say('write')}</a>}
      {way && <a href={way}>{say('directions')}</a>}
    </nav>
  )
}

/** For a phone that cannot call, or another one that can. */
export function Numbers({ place: { phone, email } }: { place: Place }) {
  return (
    <>
      {[phone, email].map(
        value =>
          value && (
            <p key={value} class="text soft" dir="ltr">
              {value}
            </p>
          ),
      )}
    </>
  )
}

function directions({ map, name }: Place): string | undefined {
  const query = encodeURIComponent(map?.address ?? name)
  const place = map?.location ? `${map.location.lat},${map.location.lng}` : undefined
  if (!place && !map?.address) return undefined
  return /iPhone|iPad|Macintosh/.test(navigator.userAgent)
    ? `maps:?q=${query}${place ? `&ll=${place}` : ''}`
    : `geo:${place ?? '0,0'}?q=${query}`
}
