import { Anchor, Button, Popover } from '@mantine/core'
import { type CSSProperties, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../data/use-list.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { IconPlus } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import type { Door } from '../overview/door.ts'
import { DoorActions } from '../overview/door-actions.tsx'
import { DoorIcon, lookWords } from '../overview/door-look.tsx'
import { lookOf, stateWords } from '../overview/door-state.ts'
import { useWhitelabel } from '../overview/use-whitelabel.ts'
import { showFailure } from '../parts/failure.tsx'
import { Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import { middle, movedBy, type PlanPosition, within } from './plan-position.ts'

interface PlanProps {
  readonly site: { readonly id: string; readonly name: string }
  readonly image: string
}

/** The doors of a site, as live as every list. */
function useDoors(site_id: string): readonly Door[] {
  const { items, has_more, loadMore } = useList<'gadgets', Door>('gadgets', {
    site_id,
    sort: 'name:asc',
    expand: ['device'],
    limit: 100,
  })
  // A plan shows all of them.
  useEffect(() => {
    if (has_more) loadMore()
  })
  return items
}

/** Shows the doors where they are. Each tells its state, and can be opened from there. */
export function ShownPlan({ site, image }: PlanProps) {
  const doors = useDoors(site.id)
  const whitelabel = useWhitelabel()
  const placed = doors.filter(door => door.plan_position)
  return (
    <>
      <Picture site={site} image={image}>
        {placed.map(door => (
          <Pin key={door.id} door={door} whitelabel={whitelabel} />
        ))}
      </Picture>
      {doors.length > 0 && placed.length === 0 && (
        <p className="soft plan-hint">No door is placed on it yet.</p>
      )}
    </>
  )
}

function Pin({ door, whitelabel }: { door: Door; whitelabel: boolean | undefined }) {
  const look = lookOf(door)
  const words = stateWords(door) || lookWords[look]
  return (
    <Popover position="top" withArrow shadow="md" trapFocus>
      <Popover.Target>
        <button
          type="button"
          className="plan-pin"
          data-look={look}
          style={styleAt(door.plan_position ?? middle)}
          aria-label={`${door.name}: ${lookWords[look]}`}
        >
          <DoorIcon look={look} is_decorative />
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="plan-door">
          <Anchor component={Link} href={`/gadgets/${door.id}`} size="sm" fw={600}>
            <Name>{door.name}</Name>
          </Anchor>
          <span className="soft">{look === 'offline' ? 'Offline' : words}</span>
          <DoorActions door={door} whitelabel={whitelabel} />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Doors are dragged to their places, or moved by the arrow keys. Each place is saved at once. */
export function PlacingPlan({ site, image }: PlanProps) {
  const { client } = useApi()
  const refresh = useRefresh()
  const doors = useDoors(site.id)
  /** What was moved here, until the list says the same. */
  const [moved, setMoved] = useState<ReadonlyMap<string, PlanPosition | null>>(new Map())
  const placeOf = (door: Door) => (moved.has(door.id) ? moved.get(door.id) : door.plan_position) ?? null
  const show = (id: string, place: PlanPosition | null) => setMoved(held => new Map(held).set(id, place))
  const save = async (door: Door, place: PlanPosition | null) => {
    show(door.id, place)
    try {
      await client.gadgets.edit(door.id, { plan_position: place })
      refresh('gadgets')
    } catch (error) {
      setMoved(held => new Map([...held].filter(([id]) => id !== door.id)))
      showFailure(error, t(`Could not place ${door.name}`))
    }
  }
  const away = doors.filter(door => !placeOf(door))
  return (
    <>
      <Picture site={site} image={image}>
        {doors.map(door => {
          const place = placeOf(door)
          return (
            place && (
              <MovablePin
                key={door.id}
                door={door}
                place={place}
                onMove={to => show(door.id, to)}
                onSave={to => void save(door, to)}
              />
            )
          )
        })}
      </Picture>
      <p className="soft plan-hint">
        Drag a door to its place, or use the arrow keys. Delete takes it off the plan.
      </p>
      {away.length > 0 && (
        <div className="plan-away" role="group" aria-label="Doors that are not placed">
          {away.map(door => (
            <Button
              key={door.id}
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={13} />}
              aria-label={`Place ${door.name}`}
              onClick={() => void save(door, middle)}
            >
              <Name>{door.name}</Name>
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

interface MovableProps {
  readonly door: Door
  readonly place: PlanPosition
  readonly onMove: (place: PlanPosition) => void
  readonly onSave: (place: PlanPosition | null) => void
}

function MovablePin({ door, place, onMove, onSave }: MovableProps) {
  const drag = useRef<{ readonly from: PlanPosition; to: PlanPosition } | undefined>(undefined)
  const look = lookOf(door)
  const follow = (event: PointerEvent<HTMLButtonElement>) => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect()
    const { current } = drag
    if (!box || !current) return
    current.to = within({
      x: (event.clientX - box.left) / box.width,
      y: (event.clientY - box.top) / box.height,
    })
    onMove(current.to)
  }
  const drop = () => {
    const { current } = drag
    drag.current = undefined
    if (current && current.to !== current.from) onSave(current.to)
  }
  return (
    <button
      type="button"
      className="plan-pin plan-movable"
      data-look={look}
      style={styleAt(place)}
      aria-label={`Move ${door.name}`}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { from: place, to: place }
      }}
      onPointerMove={follow}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={event => {
        const to = movedBy(place, event)
        if (to) onSave(to)
        else if (event.key === 'Delete' || event.key === 'Backspace') onSave(null)
        else return
        event.preventDefault()
      }}
    >
      <DoorIcon look={look} is_decorative />
      <span className="plan-name">
        <Name>{door.name}</Name>
      </span>
    </button>
  )
}

function Picture({ site, image, children }: PlanProps & { readonly children: ReactNode }) {
  return (
    <div className="plan">
      <img src={image} alt={`Floor plan of ${site.name}`} draggable={false} />
      {children}
    </div>
  )
}

function styleAt({ x, y }: PlanPosition): CSSProperties {
  return { left: `${x * 100}%`, top: `${y * 100}%` }
}
