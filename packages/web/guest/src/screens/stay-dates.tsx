import { type Home, hasEnded, type Site } from '../model.ts'
import { say } from '../texts.ts'
import { isUpToDayOf, when } from '../times.ts'

/** The dates of the stay in the site's time zone, and before it what helps to get in. */
export function Stay({ home, site }: { home: Home; site: Site }) {
  const { starts_at, ends_at } = home
  const show = (at: string) => when(at, site)
  if (ends_at && hasEnded(home))
    return (
      <p class="banner" role="status">
        {say('stay_ended_at', { site: `\u2068${site.name}\u2069`, when: show(ends_at) })}
      </p>
    )
  return (
    <>
      {starts_at && Date.parse(starts_at) > Date.now() && (
        <p class="banner calm">{say('stay_starts', { when: show(starts_at) })}</p>
      )}
      {starts_at && ends_at && (
        <dl class="card stay">
          <Day label={say('arrival')} at={show(starts_at)} />
          <Day label={say('departure')} at={show(ends_at)} />
        </dl>
      )}
      {!starts_at && ends_at && <p class="hint">{say('valid_until', { when: show(ends_at) })}</p>}
      {site.check_in && starts_at && isUpToDayOf(starts_at, site) && (
        <section class="card">
          <h2>{say('check_in')}</h2>
          <p class="text">
            <bdi>{site.check_in}</bdi>
          </p>
        </section>
      )}
    </>
  )
}

function Day({ label, at }: { label: string; at: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{at}</dd>
    </div>
  )
}
