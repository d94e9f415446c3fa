import { endSession, enterByLink, getHome, look, type Opened, type Refusal, revealPin } from './api.ts'
import { dress } from './dress.ts'
import { type Kept, keep, recall } from './memory.ts'
import { endOf, type Home, type Host, type Place } from './model.ts'
import { isOffline, noteNetwork } from './network.ts'
import { say } from './texts.ts'

/**
 * What the page shows: `waiting` while a link is being opened, `home` with the known data (first from the
 * phone, then from the service), `signed_out`, or `gone` when the stay is over or the access was revoked.
 */
export type Stage =
  | { readonly is: 'waiting' }
  | {
      readonly is: 'home'
      readonly kept: Kept
      readonly is_recovered?: boolean
      /** True while a link waits for a network. What is shown is the stay before. */
      readonly has_unopened?: boolean
    }
  | { readonly is: 'signed_out'; readonly notice?: string }
  | { readonly is: 'gone'; readonly ended: Ended }

/** What there is to say of an access that is over. */
export interface Ended {
  readonly host: Host | undefined
  readonly place: Place | undefined
  /** When the stay ended, if that is the reason. */
  readonly ended_at: string | undefined
}

const freshness = 60_000
/** Milliseconds between two looks whether the network is there, while the guest looks at the page. */
const alertness = 10_000
const revoked = ['member_deleted', 'credential_deleted']

/** The service was restored from a backup: it knows nobody's session, and signs nobody in for now. */
export function isRecovered({ args }: Refusal): boolean {
  return args.reason === 'recovered'
}

export function isRevoked({ args }: Refusal): boolean {
  return revoked.includes(args.reason ?? '')
}

let stage: Stage = { is: 'waiting' }
let tell: (stage: Stage) => void = () => undefined
/** A link that could not be opened without a network. The address no longer has it. */
let unopened: string | undefined

function show(next: Stage): void {
  stage = next
  dress(hostOf(next)?.colors)
  tell(next)
}

function hostOf(shown: Stage): Host | undefined {
  if (shown.is === 'home') return shown.kept.home.organization
  return shown.is === 'gone' ? shown.ended.host : undefined
}

/** Starts loading before the first render, because the response is what the guest waits for. */
export function beginStay(): Stage {
  const link = takeLink()
  const kept = recall()
  if (link) follow(link)
  else if (kept) {
    show({ is: 'home', kept })
    refresh()
    fetchPins(kept.token)
  } else stage = { is: 'signed_out' }
  addEventListener('hashchange', () => {
    const another = takeLink()
    if (another) follow(another)
  })
  for (const name of ['visibilitychange', 'online']) addEventListener(name, refreshWhenSeen)
  addEventListener('offline', () => noteNetwork(false))
  setInterval(refreshWhenSeen, freshness)
  setInterval(lookWhenSeen, alertness)
  return stage
}

export function onStage(listen: (stage: Stage) => void): void {
  tell = listen
  listen(stage)
}

/** Removes the secret from the address, so that it is neither shared nor kept in the history. */
function takeLink(): string | undefined {
  const link = linkIn(location.hash)
  if (location.hash) history.replaceState(null, '', location.pathname)
  return link
}

/** Finds the secret of a link, also in one that was pasted. */
export function linkIn(text: string): string | undefined {
  return /#(mml_\w+_[\w-]+)$/.exec(text)?.[1]
}

export function follow(link: string): void {
  show({ is: 'waiting' })
  unopened = undefined
  enterByLink(link).then(enter, (error: Refusal) => {
    const kept = recall()
    if (error.type === 'no_network') {
      unopened = link
      if (kept) return show({ is: 'home', kept, has_unopened: true })
    }
    if (isRecovered(error) && kept) return show({ is: 'home', kept, is_recovered: true })
    if (error.args.reason === 'member_deleted') return show({ is: 'gone', ended: endedOf(error) })
    show({ is: 'signed_out', notice: noticeOf(error) })
  })
}

function noticeOf(refusal: Refusal): string {
  const { type, args } = refusal
  if (isRecovered(refusal)) return say('recovered')
  if (args.reason === 'credential_suspended') return say('suspended')
  if (type === 'rate_limited') return say('slow_down', { seconds: args.seconds ?? '' })
  return say(type === 'no_network' ? 'no_network' : 'bad_link')
}

export function enter(opened: Opened): void {
  unopened = undefined
  show({ is: 'home', kept: remember(opened) })
  fetchPins(opened.token)
}

function refreshWhenSeen(): void {
  if (document.visibilityState !== 'visible') return
  if (stage.is === 'home' && !unopened) refresh()
  else lookAgain()
}

/** Many browsers tell neither that the network is gone nor that it is back. */
function lookWhenSeen(): void {
  if (document.visibilityState === 'visible') lookAgain()
}

/** Goes on where the lack of a network ended it. */
export async function lookAgain(): Promise<void> {
  const was_offline = isOffline()
  await look()
  if (isOffline()) return
  // On the home screen, another request may have found the network first.
  if (unopened && (was_offline || stage.is === 'home')) follow(unopened)
  else if (was_offline) refresh()
}

export async function refresh(): Promise<void> {
  if (stage.is !== 'home') return
  const { kept } = stage
  try {
    const home = await getHome(kept.token)
    if (stage.is !== 'home' || stage.kept.token !== kept.token) return
    show({ is: 'home', kept: remember({ token: kept.token, home }) })
    fetchPins(kept.token)
  } catch (error) {
    const refusal = error as Refusal
    if (isRevoked(refusal)) leave(refusal)
    // What is stored on the phone stays there: the PIN works at the door.
    else if (isRecovered(refusal)) showRecovered()
    else if (refusal.type === 'unauthenticated') signOut()
  }
}

function showRecovered(): void {
  if (stage.is === 'home') show({ ...stage, is_recovered: true })
}

/** Call when the access is over. Deletes everything stored on the phone. */
export function leave(refusal: Refusal): void {
  const home = stage.is === 'home' ? stage.kept.home : undefined
  keep(undefined)
  show({ is: 'gone', ended: endedOf(refusal, home) })
}

/** What the phone knew comes first: the service says less of a place that is over. */
function endedOf({ args }: Refusal, home?: Home): Ended {
  const { site, timezone = 'UTC', phone = null, email = null } = args
  const told = site ? { name: site, timezone, phone, email, map: null } : undefined
  return {
    host: home?.organization ?? hostIn(args),
    place: home?.sites[0] ?? told,
    ended_at: args.ended_at ?? (home && endOf(home)),
  }
}

function hostIn({ organization: name, logo_url, colors }: Refusal['args']): Host | undefined {
  return name
    ? { name, ...(logo_url && { logo_url }), ...(colors && { colors: JSON.parse(colors) }) }
    : undefined
}

export function signOut(): void {
  if (stage.is === 'home') endSession(stage.kept.token).catch(() => undefined)
  keep(undefined)
  show({ is: 'signed_out' })
}

function remember({ token, home }: Opened): Kept {
  // The phone may store nothing, so what the page holds comes first.
  const before = stage.is === 'home' ? stage.kept : recall()
  const pins = before?.home.member_id === home.member_id ? before.pins : {}
  const living = Object.entries(pins).filter(([id]) => home.pins.some(pin => pin.id === id))
  const kept = { token, home, saved_at: Date.now(), pins: Object.fromEntries(living) }
  keep(kept)
  return kept
}

const asked = new Set<string>()

/**
 * Loads each PIN once and stores it, because a PIN is needed most when there is no internet. One that cannot
 * be loaded now is tried again with the next refresh.
 */
async function fetchPins(token: string): Promise<void> {
  for (const { id } of stage.is === 'home' ? stage.kept.home.pins : []) {
    if (stage.is !== 'home' || stage.kept.token !== token) return
    if (stage.kept.pins[id] || asked.has(id)) continue
    asked.add(id)
    const revealed = await revealPin(token, id).catch(() => undefined)
    asked.delete(id)
    if (revealed) put(token, id, revealed.pin)
  }
}

function put(token: string, id: string, pin: string): void {
  if (stage.is !== 'home' || stage.kept.token !== token) return
  const kept = { ...stage.kept, pins: { ...stage.kept.pins, [id]: pin } }
  keep(kept)
  show({ ...stage, kept })
}
