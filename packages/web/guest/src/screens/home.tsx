import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Kept } from '../memory.ts'
import { endOf, type Gadget, isOpenNow, opensAtDoor, type Site } from '../model.ts'
import { ownPicture } from '../own-picture.ts'
import { refresh, signOut } from '../stay.ts'
import { say } from '../texts.ts'
import { foreignCity, here, when } from '../times.ts'
import { Door } from './door.tsx'
import { HostName } from './host-name.tsx'
import { InstallCard, useInstall } from './install.tsx'
import { LaterDoor } from './later-door.tsx'
import { OwnData } from './own-data.tsx'
import { PinCard } from './pin-card.tsx'
import { SiteInfo } from './site-info.tsx'
import { Stay } from './stay-dates.tsx'

interface HomeProps {
  readonly kept: Kept
  readonly is_offline: boolean
  readonly is_recovered: boolean | undefined
}

export function HomeScreen({ kept, is_offline, is_recovered }: HomeProps) {
  const { home } = kept
  const install = useInstall()
  useNextOpening(home.gadgets)
  const pin_cards = usePinCards(kept)
  // Without the network, what works comes first, but below the name of the place.
  const is_pin_first = is_offline && home.sites.length > 0
  return (
    <>
      <main class="page">
        {is_recovered && (
          <p class="banner" role="status">
            {say('recovered')}
          </p>
        )}
        {home.sites.map((site, index) => (
          <SiteSection key={site.id} site={site} is_first={index === 0} is_offline={is_offline} kept={kept}>
            {is_pin_first && index === 0 && pin_cards}
          </SiteSection>
        ))}
        {home.sites.length === 0 && <NoPlace kept={kept} />}
        {!is_pin_first && pin_cards}
        {home.sites.map(site => (
          <SiteInfo key={site.id} site={site} is_named={home.sites.length > 1} />
        ))}
        {home.offers_data_export && !is_offline && <OwnData kept={kept} />}
        {install.is_open && <InstallCard install={install} />}
      </main>
      <footer class="page foot">
        {install.can_open && (
          <button type="button" class="plain" onClick={install.open}>
            {say('install')}
          </button>
        )}
        <button type="button" class="plain" onClick={signOut}>
          {say('sign_out')}
        </button>
      </footer>
    </>
  )
}

/** Which PINs are shown outlasts a change of their place on the page: the network may go while one is being typed. */
function usePinCards({ home, pins }: Kept) {
  const [shown, setShown] = useState<readonly string[]>([])
  const toggle = (id: string) =>
    setShown(shown.includes(id) ? shown.filter(other => other !== id) : [...shown, id])
  return (
    !endOf(home) &&
    home.pins.length > 0 && (
      <section class="site">
        <h2 class="label">{say('your_pin')}</h2>
        {home.pins.map(({ id, length }) => (
          <PinCard
            key={id}
            length={length}
            digits={pins[id]}
            is_shown={shown.includes(id)}
            onToggle={() => toggle(id)}
          />
        ))}
      </section>
    )
  )
}

function NoPlace({ kept: { home } }: { kept: Kept }) {
  const ended_at = endOf(home)
  return (
    <div class="masthead">
      {home.organization.logo_url && <HostName host={home.organization} />}
      <h1>
        <bdi>{home.organization.name}</bdi>
      </h1>
      <p class="lead">{ended_at ? say('stay_ended', { when: when(ended_at, here) }) : say('no_doors')}</p>
    </div>
  )
}

interface SectionProps {
  readonly site: Site
  readonly is_first: boolean
  readonly is_offline: boolean
  readonly kept: Kept
  readonly children: ComponentChildren
}

function SiteSection({ site, is_first, is_offline, kept, children }: SectionProps) {
  const gadgets = kept.home.gadgets.filter(gadget => gadget.site_id === site.id)
  const others = gadgets.filter(gadget => !isOpenNow(gadget))
  const at_door = others.filter(opensAtDoor)
  const later = others.filter(gadget => !opensAtDoor(gadget))
  const open = gadgets.filter(isOpenNow)
  // A phone that is offline does not know which doors are by now.
  const now = open.filter(gadget => gadget.is_online || is_offline)
  const unreached = open.filter(gadget => !now.includes(gadget))
  const Title = is_first ? 'h1' : 'h2'
  const Part = is_first ? 'h2' : 'h3'
  const city = foreignCity(site.timezone)
  const doors_at_door = at_door.length > 0 && (
    <>
      {(is_offline || now.length === 0) && <Part class="label">{say('open_now')}</Part>}
      <OtherDoors gadgets={at_door} site={site} />
    </>
  )
  return (
    <section class="site">
      <header class={`masthead${site.map?.image_url ? ' pictured' : ''}`}>
        {site.map?.image_url && (
          <img src={ownPicture(site.map.image_url)} alt={say('picture_of', { site: site.name })} />
        )}
        <div>
          <HostName host={kept.home.organization} />
          <Title class="name">
            <bdi>{site.name}</bdi>
          </Title>
        </div>
      </header>
      <Stay home={kept.home} site={site} />
      {gadgets.length === 0 && !endOf(kept.home) && <p class="lead">{say('no_doors')}</p>}
      {children}
      {is_offline && doors_at_door}
      {now.length > 0 && <Part class="label">{say(is_offline ? 'open_online' : 'open_now')}</Part>}
      <Doors gadgets={now} site={site} kept={kept} is_offline={is_offline} />
      {!is_offline && doors_at_door}
      {unreached.length > 0 && <Part class="label">{say('unreached')}</Part>}
      <Doors gadgets={unreached} site={site} kept={kept} is_offline={is_offline} />
      {later.length > 0 && <Part class="label">{say('later')}</Part>}
      <OtherDoors gadgets={later} site={site} />
      {city && <p class="hint">{say('site_time', { city })}</p>}
    </section>
  )
}

interface DoorsProps {
  readonly gadgets: readonly Gadget[]
  readonly site: Site
  readonly kept: Kept
  readonly is_offline: boolean
}

function Doors({ gadgets, ...rest }: DoorsProps) {
  return (
    gadgets.length > 0 && (
      <ul class="doors">
        {gadgets.map(gadget => (
          <Door key={gadget.id} gadget={gadget} {...rest} />
        ))}
      </ul>
    )
  )
}

function OtherDoors({ gadgets, site }: { gadgets: readonly Gadget[]; site: Site }) {
  return (
    gadgets.length > 0 && (
      <ul class="laters">
        {gadgets.map(gadget => (
          <LaterDoor key={gadget.id} gadget={gadget} site={site} />
        ))}
      </ul>
    )
  )
}

const longest = 2 ** 31 - 1

/** Reloads when the next door becomes available. */
function useNextOpening(gadgets: readonly Gadget[]): void {
  useEffect(() => {
    const ways = gadgets.flatMap(({ actions }) => actions.flatMap(action => action.ways))
    const later = ways.filter(way => !way.is_allowed && way.next_allowed_at)
    const next = Math.min(...later.map(way => Date.parse(way.next_allowed_at as string)))
    if (!Number.isFinite(next)) return
    const timer = setTimeout(refresh, Math.min(longest, Math.max(1000, next - Date.now() + 300)))
    return () => clearTimeout(timer)
  }, [gadgets])
}
