import { Anchor } from '@mantine/core'
import { memo, useMemo } from 'react'
import { Link } from 'wouter'
import { countText } from '../data/use-count.ts'
import { useList } from '../data/use-list.ts'
import { IconDoor } from '../icons/icons.ts'
import { locale } from '../language/languages.ts'
import { spoken, t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { Ago } from '../parts/time.tsx'
import type { Door } from './door.ts'
import { DoorActions } from './door-actions.tsx'
import { DoorIcon } from './door-look.tsx'
import { lookOf, stateWords } from './door-state.ts'
import { type Day, type Happening, hour } from './last-day.ts'
import { OfflineSince } from './offline-since.tsx'
import { useWhitelabel } from './use-whitelabel.ts'

/** Lists doors and other gadgets: their site, state, last use and available actions. */
export function Doors({ day }: { day: Day }) {
  const { list, doors, offline } = useDoorsByUrgency()
  const whitelabel = useWhitelabel()
  const byGadget = useMemo(() => Map.groupBy(day.happenings, ({ gadget_id }) => gadget_id), [day.happenings])
  return (
    <Section
      title="Doors"
      about={doors.length > 0 ? doorsText(doors.length, list.count ?? doors.length, offline) : undefined}
      flush
      actions={
        <Anchor component={Link} href="/gadgets" size="sm">
          All doors
        </Anchor>
      }
    >
      {list.error && list.items.length === 0 && <Failure error={list.error} retry={list.refetch} />}
      {list.is_loading && (
        <div className="section-body">
          <LoadingLines lines={6} />
        </div>
      )}
      {!list.is_loading && !list.error && list.items.length === 0 && (
        <Empty icon={<IconDoor />} title="No doors yet">
          Create a site, add a device to it, then add what the device controls: a door, a lift, a light.
        </Empty>
      )}
      <ul className="doors">
        {doors.map(door => (
          <DoorRow
            key={door.id}
            door={door}
            happenings={byGadget.get(door.id) ?? none}
            whitelabel={whitelabel}
          />
        ))}
      </ul>
    </Section>
  )
}

const most = 30

/** The doors that somebody has to see first: those offline, then those that stand open, then the others by name. */
function useDoorsByUrgency() {
  const query = { sort: 'name:asc', expand: ['site', 'device'], limit: most } as const
  const counted = { with_count: true }
  const offline = useList<'gadgets', Door>('gadgets', { ...query, is_online: false }, counted)
  const open = useList<'gadgets', Door>('gadgets', { ...query, is_online: true, is_open: true })
  const list = useList<'gadgets', Door>('gadgets', query, counted)
  const byId = new Map([...offline.items, ...open.items, ...list.items].map(door => [door.id, door]))
  return { list, doors: [...byId.values()].slice(0, most), offline: offline.count ?? 0 }
}

/** Returns `12 doors, 2 offline`. If only some are listed, how many of them. */
function doorsText(listed: number, count: number, offline: number): string {
  const all = countText({ count, is_more: false }, spoken(['door', 'doors']))
  const counts = offline > 0 ? t(`${all}, ${offline.toLocaleString(locale)} offline`) : all
  return count > listed ? t(`${counts}, ${listed} listed`) : counts
}

const none: readonly Happening[] = []

interface RowProps {
  readonly door: Door
  readonly happenings: readonly Happening[]
  readonly whitelabel: boolean | undefined
}

/**
 * Below the cap of 5,000 live happenings, happenings are only added, so comparing their count suffices. Most
 * rows do not render again.
 */
function isSame(held: RowProps, next: RowProps): boolean {
  return (
    held.door === next.door &&
    held.whitelabel === next.whitelabel &&
    held.happenings.length === next.happenings.length
  )
}

const DoorRow = memo(function DoorRow({ door, happenings, whitelabel }: RowProps) {
  const look = lookOf(door)
  const words = stateWords(door)
  return (
    <li className="door">
      <span className="door-look" data-look={look}>
        <DoorIcon look={look} />
      </span>
      <div className="door-name">
        <NameLink href={`/gadgets/${door.id}`}>{door.name}</NameLink>
        <span className="door-site">{door.site?.name}</span>
      </div>
      <div className="door-state">
        {look === 'offline' ? <OfflineSince device_id={door.device_id} site={door.site} /> : words}
        {door.last_action_at && (
          <span className="door-last">
            Used <Ago at={door.last_action_at} />
          </span>
        )}
      </div>
      <Used happenings={happenings} name={door.name} />
      <DoorActions door={door} whitelabel={whitelabel} />
    </li>
  )
}, isSame)

/** How often a door was used in the last 24 hours, as a picture and in numbers. */
function Used({ happenings, name }: { happenings: readonly Happening[]; name: string }) {
  const denied = happenings.filter(({ is_denied }) => is_denied).length
  return (
    <div className="door-used">
      <Strip happenings={happenings} name={name} />
      <span className="door-count" aria-hidden>
        {(happenings.length - denied).toLocaleString(locale)}
        {denied > 0 && <span className="bad-ink"> / {denied.toLocaleString(locale)}</span>}
      </span>
    </div>
  )
}

/** Draws the last 24 hours of one door, with a line for each use. */
const Strip = memo(function Strip({ happenings, name }: { happenings: readonly Happening[]; name: string }) {
  const end = Date.now()
  const place = (at: number) => 240 - ((end - at) / (24 * hour)) * 240
  const denied = happenings.filter(({ is_denied }) => is_denied).length
  return (
    <svg
      className="door-strip"
      viewBox="0 0 240 18"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}: ${happenings.length - denied} opened, ${denied} denied in the last 24 hours`}
    >
      <line x1={0} x2={240} y1={17} y2={17} className="activity-line" />
      {happenings.slice(-100).map(({ at, is_denied }, index) => (
        <rect
          key={index}
          x={place(at) - 1}
          y={is_denied ? 2 : 4}
          width={2}
          height={14}
          className={is_denied ? 'activity-denied' : 'activity-used'}
        />
      ))}
    </svg>
  )
})
