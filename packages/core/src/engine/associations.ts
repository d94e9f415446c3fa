import { compareWithId, createIdColumn, grow, type IdColumn, readId, writeId } from './id-column.ts'
import { firstLink, type Members, setFirstLink } from './members.ts'
import type { AssociationRow } from './policy-rows.ts'
import { endOf, isBounded, startOf } from './validity.ts'

/**
 * Living associations by number, in columns. A member's associations form a linked list. A link is a number
 * plus 1, so that 0 ends the list. A deleted association is removed, and its number is reused. The list is
 * sorted by id, newest first: rows are compiled in id order, so each insertion happens at the head, however
 * long the list is.
 */
export interface Associations {
  ids: IdColumn
  /** How many numbers have been allocated. */
  count: number
  /** Two words per association: the group's number with `boundedBit` as its lowest bit, and the next link. */
  links: Uint32Array
  /** Start and end per association. Written only when the association is bounded. */
  windows: Float64Array
  free: number
}

const boundedBit = 1

export function createAssociations(capacity: number): Associations {
  return {
    ids: createIdColumn(['mga_'], capacity),
    count: 0,
    links: new Uint32Array(capacity * 2),
    windows: new Float64Array(),
    free: 0,
  }
}

/** The members, which hold the heads of the lists, and the associations in those lists. */
interface Chains {
  members: Members
  associations: Associations
}

export function putAssociation(chains: Chains, member: number, group: number, row: AssociationRow): void {
  const before = findBefore(chains, member, row.id)
  const link = after(chains, member, before)
  const isKnown = link !== 0 && compareWithId(chains.associations.ids, link - 1, row.id) === 0
  if (!row.is_deleted)
    writeAssociation(chains, isKnown ? link : insert(chains, member, before, row.id), group, row)
  else if (isKnown) unlink(chains, member, before)
}

export function associationId(associations: Associations, number: number): string {
  return readId(associations.ids, number)
}

export function nextLink({ links }: Associations, link: number): number {
  return links[link * 2 - 1] as number
}

export function groupNumber({ links }: Associations, link: number): number {
  return (links[link * 2 - 2] as number) >>> 1
}

export function isLinkBounded({ links }: Associations, link: number): boolean {
  return ((links[link * 2 - 2] as number) & boundedBit) !== 0
}

export function associationStart({ windows }: Associations, link: number): number {
  return windows[link * 2 - 2] as number
}

export function associationEnd({ windows }: Associations, link: number): number {
  return windows[link * 2 - 1] as number
}

function writeAssociation({ associations }: Chains, link: number, group: number, row: AssociationRow): void {
  const bounded = isBounded(row)
  associations.links[link * 2 - 2] = (group << 1) | (bounded ? boundedBit : 0)
  if (!bounded) return
  if (associations.windows.length < link * 2) associations.windows = grow(associations.windows, link * 2)
  associations.windows[link * 2 - 2] = startOf(row)
  associations.windows[link * 2 - 1] = endOf(row)
}

/** Returns a member's links in id order, so that an explanation does not depend on the order of changes. */
export function linksInOrder({ associations, members }: Chains, member: number): number[] {
  const links: number[] = []
  for (let link = firstLink(members, member); link !== 0; link = nextLink(associations, link))
    links.push(link)
  return links.reverse()
}

/** Returns the link to insert an id after; 0 for the head of the list. */
function findBefore({ associations, members }: Chains, member: number, id: string): number {
  let before = 0
  let link = firstLink(members, member)
  while (link !== 0 && compareWithId(associations.ids, link - 1, id) > 0) {
    before = link
    link = nextLink(associations, link)
  }
  return before
}

function after({ associations, members }: Chains, member: number, before: number): number {
  return before === 0 ? firstLink(members, member) : nextLink(associations, before)
}

function insert(chains: Chains, member: number, before: number, id: string): number {
  const { associations } = chains
  const link = takeLink(associations)
  writeId(associations.ids, link - 1, id)
  associations.links[link * 2 - 1] = after(chains, member, before)
  relink(chains, member, before, link)
  return link
}

function unlink(chains: Chains, member: number, before: number): void {
  const { associations } = chains
  const link = after(chains, member, before)
  relink(chains, member, before, nextLink(associations, link))
  associations.links[link * 2 - 1] = associations.free
  associations.free = link
}

/** Makes `link` the successor of `before`. */
function relink({ associations, members }: Chains, member: number, before: number, link: number): void {
  if (before === 0) setFirstLink(members, member, link)
  else associations.links[before * 2 - 1] = link
}

function takeLink(associations: Associations): number {
  const { free } = associations
  if (free === 0) return addLink(associations)
  associations.free = nextLink(associations, free)
  return free
}

function addLink(associations: Associations): number {
  const link = ++associations.count
  if (associations.links.length < link * 2) associations.links = grow(associations.links, link * 2)
  return link
}
