import type { Site } from '../model.ts'
import { say } from '../texts.ts'
import { Contacts, Numbers } from './contacts.tsx'

export function SiteInfo({ site, is_named }: { site: Site; is_named: boolean }) {
  const { map, info, phone, email } = site
  if (!map?.address && !info && !phone && !email) return null
  return (
    <section class="card info">
      <h2>{is_named ? <bdi>{site.name}</bdi> : say('info')}</h2>
      {info && (
        <p class="text">
          <bdi>{info}</bdi>
        </p>
      )}
      {map?.address && (
        <p class="text">
          <bdi>{map.address}</bdi>
        </p>
      )}
      <Numbers place={site} />
      <Contacts site={site} />
    </section>
  )
}
