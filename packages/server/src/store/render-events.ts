import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExpandTree, parseExpand, resources } from '@gatehouse/api'
import type { Steps } from '@gatehouse/core'
import { isAway, isBusy, isConflict } from '../database/away.ts'
import type { Database, Row } from '../database/db.ts'
import { isRecord } from '../flow/record.ts'
import { inSlices } from '../flow/slices.ts'
import { type ExpandLimits, expandObjects } from './expand.ts'
import { Allowance } from './expand-allowance.ts'

/** Whom events are rendered for: expands show what that caller's own GET would. */
export interface EventReader {
  readonly organization_id: string
  readonly oauth_application_id?: string | undefined
  readonly expand: readonly string[]
}

/** The same for readers who see an event alike. Expands show what the application may see. */
export function readerName({ oauth_application_id, expand }: EventReader): string {
  if (expand.length === 0) return ''
  return createHash('sha256').update(`${oauth_application_id} ${expand.join()}`).digest('base64url')
}

const kilobyte = 1024
/** What expands may make of one event. */
export const largestEvent = 256 * kilobyte
const limitsOfOne: ExpandLimits = { objects: 500, listed: largestEvent, rows_with_lists: 50 }
/** Of events that are expanded together. */
const together = 16
const limitsTogether: ExpandLimits = { objects: 4000, listed: 16 * largestEvent, rows_with_lists: 200 }
const plainTogether = 200

/** What expanding beyond the usual costs everybody else: an organization has so much a second. */
const allowance = new Allowance(16 * kilobyte * kilobyte, 4 * kilobyte * kilobyte)
const usualSize = 32 * kilobyte

/**
 * Events as JSON, with the expands of their reader. Those that would make one too large, or that an organization has too much
 * of, are left out, and the event says so in `expand_omitted`. It takes turns: no task on the way is long.
 */
export async function renderEvents(
  db: Database,
  reader: EventReader,
  events: readonly Row[],
): Promise<string[]> {
  const size = reader.expand.length === 0 ? plainTogether : together
  const texts: string[] = []
  for (let start = 0; start < events.length; start += size) {
    if (start > 0) await nextTurn()
    texts.push(...(await renderPortion(db, reader, events.slice(start, start + size))))
  }
  return texts
}

async function renderPortion(
  db: Database,
  reader: EventReader,
  events: readonly Row[],
): Promise<readonly string[]> {
  if (reader.expand.length === 0) return events.map(event => JSON.stringify(event))
  const whole = await tryExpand(db, reader, events, limitsTogether)
  if (whole) return inSlices(reader.organization_id, renderAll(reader, whole, events))
  const texts: string[] = []
  for (const event of events) {
    const [expanded] = (await tryExpand(db, reader, [event], limitsOfOne)) ?? []
    texts.push(expanded ? renderOne(reader, expanded, event) : renderPlain(reader, event))
  }
  return texts
}

function* renderAll(reader: EventReader, expanded: readonly Row[], plain: readonly Row[]): Steps<string[]> {
  const texts: string[] = []
  for (const [at, event] of expanded.entries()) {
    texts.push(renderOne(reader, event, plain[at] ?? event))
    yield
  }
  return texts
}

function renderOne(reader: EventReader, expanded: Row, plain: Row): string {
  const { objects } = limitsOfOne
  if (!isWithin(expanded, parseExpand(resources.event, reader.expand), { objects, characters: largestEvent }))
    return renderPlain(reader, plain)
  const text = JSON.stringify(expanded)
  if (text.length > usualSize) allowance.charge(reader.organization_id, text.length)
  return text
}

function renderPlain({ expand }: EventReader, event: Row): string {
  return JSON.stringify({ ...event, expand_omitted: expand })
}

/** Undefined where the expands would burst a limit, or cannot be made at all. */
async function tryExpand(
  db: Database,
  reader: EventReader,
  events: readonly Row[],
  limits: ExpandLimits,
): Promise<Row[] | undefined> {
  if (allowance.isUsedUp(reader.organization_id)) return undefined
  const copies = events.map(event => ({ ...event }))
  try {
    const tree = parseExpand(resources.event, reader.expand)
    await expandObjects(db, resources.event, reader, copies, tree, limits)
    return copies
  } catch (error) {
    if (isAway(error) || isBusy(error) || isConflict(error)) throw error
    allowance.charge(reader.organization_id, limits.objects * kilobyte)
    return undefined
  }
}

/** Looks no further than to the limit, so that it costs no more for what is larger. */
function isWithin(row: Row, tree: ExpandTree, left: { objects: number; characters: number }): boolean {
  const own: Row = {}
  for (const [name, value] of Object.entries(row)) {
    const below = tree[name]
    if (!below) own[name] = value
    else
      for (const child of [value].flat())
        if (isRecord(child) && !isWithinOne(child, below, left)) return false
  }
  left.characters -= JSON.stringify(own).length
  return left.characters >= 0
}

function isWithinOne(child: Row, tree: ExpandTree, left: { objects: number; characters: number }): boolean {
  left.objects--
  return left.objects >= 0 && isWithin(child, tree, left)
}
