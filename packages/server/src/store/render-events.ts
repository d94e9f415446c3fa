import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExpandTree, parseExpand, resources } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import { isAway, isBusy, isConflict } from '../database/away.ts'
import type { Row } from '../database/db.ts'
import { isRecord } from '../flow/record.ts'
import { inSlices } from '../flow/slices.ts'
import type { Bounds } from './caller.ts'
import { type ExpandLimits, expandObjects, type Reading } from './expand.ts'
import { Allowance } from './expand-allowance.ts'

/** The reader that events are rendered for. Expands show what a GET by that caller would show. */
export interface EventReader {
  readonly organization_id: string
  readonly oauth_application_id?: string | undefined
  readonly bounds?: Bounds | undefined
  readonly expand: readonly string[]
}

/** Returns the same name for readers with the same rendering. Expands show what the application may see. */
export function readerName({ oauth_application_id, expand }: EventReader): string {
  if (expand.length === 0) return ''
  return createHash('sha256').update(`${oauth_application_id} ${expand.join()}`).digest('base64url')
}

const kilobyte = 1024
/** Largest size of one event with expands, in characters. */
export const largestEvent = 256 * kilobyte
const limitsOfOne: ExpandLimits = { objects: 500, listed: largestEvent, rows_with_lists: 50 }
/** How many events are expanded together. */
const together = 16
const limitsTogether: ExpandLimits = { objects: 4000, listed: 16 * largestEvent, rows_with_lists: 200 }
const plainTogether = 200

/**
 * Limits, per organization, the characters of unusually large expanded events, because rendering them slows
 * down everyone else: 16 Mi at once, then 4 Mi per second.
 */
const allowance = new Allowance(16 * kilobyte * kilobyte, 4 * kilobyte * kilobyte)
const usualSize = 32 * kilobyte

/**
 * Renders events as JSON with the expands of their reader. Expands that would make an event too large, or
 * that exceed the organization's allowance, are omitted, and the event lists them in `expand_omitted`. Yields
 * to the event loop between portions, so that no task is long.
 */
export async function renderEvents(
  reading: Reading,
  reader: EventReader,
  events: readonly Row[],
): Promise<string[]> {
  const size = reader.expand.length === 0 ? plainTogether : together
  const texts: string[] = []
  for (let start = 0; start < events.length; start += size) {
    if (start > 0) await nextTurn()
    texts.push(...(await renderPortion(reading, reader, events.slice(start, start + size))))
  }
  return texts
}

async function renderPortion(
  reading: Reading,
  reader: EventReader,
  events: readonly Row[],
): Promise<readonly string[]> {
  if (reader.expand.length === 0) return events.map(event => JSON.stringify(event))
  const whole = await tryExpand(reading, reader, events, limitsTogether)
  if (whole) return inSlices(reader.organization_id, renderAll(reader, whole, events))
  const texts: string[] = []
  for (const event of events) {
    const [expanded] = (await tryExpand(reading, reader, [event], limitsOfOne)) ?? []
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

/** Returns undefined if the expands would exceed a limit or cannot be loaded. */
async function tryExpand(
  reading: Reading,
  reader: EventReader,
  events: readonly Row[],
  limits: ExpandLimits,
): Promise<Row[] | undefined> {
  if (allowance.isUsedUp(reader.organization_id)) return undefined
  const copies = events.map(event => ({ ...event }))
  try {
    const tree = parseExpand(resources.event, reader.expand)
    await expandObjects(reading, resources.event, reader, copies, tree, limits)
    return copies
  } catch (error) {
    if (isAway(error) || isBusy(error) || isConflict(error)) throw error
    allowance.charge(reader.organization_id, limits.objects * kilobyte)
    return undefined
  }
}

/** Whether a row is within the limits. Stops at the limit, so that larger rows cost no more. */
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
