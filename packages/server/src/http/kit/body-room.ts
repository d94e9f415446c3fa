import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../network/networks.ts'
import type { Turnstile } from '../turnstile/turnstile.ts'
import { bodyLimit } from './body.ts'

const mebibyte = 1024 * 1024
/** Bytes of bodies that are accepted at once, from organizations and from addresses that are not identified yet. */
const room = { known: 32 * mebibyte, strangers: 16 * mebibyte }
/** The part of it that one organization or address may have. */
const share = 1 / 4
/** What is no longer costs little more than the connection it comes on, and is never refused: doors, revocations. */
const small = 8 * 1024

/**
 * Bodies are read before a turn is taken, so that whoever sends slowly holds none. This bounds them instead: room is taken
 * for as much as a body says it has, before any of it is read, and given back with the answer.
 */
export class BodyRoom {
  readonly #known = new Room(room.known)
  readonly #strangers = new Room(room.strangers)
  readonly #turnstile: Turnstile

  constructor(turnstile: Turnstile) {
    this.#turnstile = turnstile
  }

  /** For every route that reads a body, whoever adds it. */
  guard(app: FastifyInstance): void {
    app.addHook('onRoute', route => {
      if (route.method === 'GET' || route.method === 'HEAD') return
      route.preParsing = (request, reply, payload, done) => {
        const refusal = this.take(request, reply)
        if (refusal) refusal.catch(done)
        else done(null, payload)
      }
    })
  }

  /** Undefined: there is room. */
  take(request: FastifyRequest, reply: FastifyReply, most = bodyLimit): undefined | Promise<never> {
    const bytes = Math.min(most, sizeOf(request))
    if (bytes <= small) return undefined
    const caller = request.exchange?.caller
    const giveBack = caller
      ? this.#known.take(caller.organization_id, bytes)
      : this.#strangers.take(networkOf(request.ip), bytes)
    if (!giveBack) return this.#turnstile.refuse('ordinary', tooMany)
    reply.raw.once('close', giveBack)
    return undefined
  }
}

const tooMany = 'more large bodies are being sent than the service can take at once; try again shortly'

/** One that does not say how long it is may become as long as any. */
function sizeOf({ headers }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : bodyLimit
}

class Room {
  readonly #most: number
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Answers how to give it back; undefined when there is none. */
  take(tenant: string, bytes: number): (() => void) | undefined {
    const own = (this.#taken.get(tenant) ?? 0) + bytes
    if (own > this.#most * share || this.#total + bytes > this.#most) return undefined
    this.#taken.set(tenant, own)
    this.#total += bytes
    return () => this.#giveBack(tenant, bytes)
  }

  #giveBack(tenant: string, bytes: number): void {
    const left = (this.#taken.get(tenant) ?? 0) - bytes
    if (left > 0) this.#taken.set(tenant, left)
    else this.#taken.delete(tenant)
    this.#total -= bytes
  }
}
