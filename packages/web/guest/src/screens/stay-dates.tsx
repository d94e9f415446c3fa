import { endOf, type Home, type Site } from '../model.ts'
import { say } from '../texts.ts'
import { isUpToDayOf, when } from '../times.ts'

/** The dates of the stay in the site's time zone, and before it what helps to get in. */
export function Stay({ home, site }: { home: Home; site: Site }) {
  const { starts_at, ends_at } = home
  const show = (at: string) => when(at, site)
  const ended_at = endOf(home)
  // Groups of several sites end apart from each other, and the latest end is told.
  if (ended_at)
    return (
      <p class="banner" role="status">
        {ended_at !== home.ends_at && home.sites.length > 1
          ? say('stay_ended', { when: show(ended_at) })
          : say('stay_ended_at', { site: `\u2068${site.name}\u2069`, when: show(ended_at) })}
      </p>
    )
  // Without an arrival, nobody knows who has been there already.
  const is_arriving = starts_at ? isUpToDayOf(starts_at, site) : ends_at !== null
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
      {site.check_in && is_arriving && (
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
