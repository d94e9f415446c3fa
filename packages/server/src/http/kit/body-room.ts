import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../network/networks.ts'
import type { Turnstile } from '../turnstile/turnstile.ts'
import { bodyLimit } from './body.ts'

const mebibyte = 1024 * 1024
/** The most bytes of bodies accepted at once, from organizations and from unidentified networks. */
const room = { known: 32 * mebibyte, strangers: 16 * mebibyte }
/** The part of the room that one organization or network can hold. */
const share = 1 / 4
/** Bodies up to this size (doors, revocations) cost little beyond the connection and are never refused. */
const small = 8 * 1024

/**
 * Bounds the memory of request bodies. A body is read before its request takes a turn, so that a slow sender
 * does not hold a turn. Room for the declared length is reserved before any of the body is read, and released
 * when the response closes.
 */
export class BodyRoom {
  readonly #known = new Room(room.known)
  readonly #strangers = new Room(room.strangers)
  readonly #turnstile: Turnstile

  constructor(turnstile: Turnstile) {
    this.#turnstile = turnstile
  }

  /** Guards every route that reads a body, wherever the route is added. */
  guard(app: FastifyInstance): void {
    app.addHook('onRoute', route => {
      if (route.method === 'GET' || route.method === 'HEAD') return
      route.preParsing = (request, reply, payload, done) => {
        const refusal = this.take(request, reply, route.bodyLimit)
        if (refusal) refusal.catch(done)
        else done(null, payload)
      }
    })
  }

  /** Returns undefined if there is room, otherwise a promise that rejects. */
  take(request: FastifyRequest, reply: FastifyReply, most = bodyLimit): undefined | Promise<never> {
    const bytes = Math.min(most, sizeOf(request, most))
    if (bytes <= small) return undefined
    const caller = request.exchange?.caller
    const giveBack = caller
      ? this.#known.take(caller.organization_id, bytes)
      : this.#strangers.take(networkOf(request.ip), bytes)
    if (!giveBack) return this.#turnstile.refuse('ordinary', tooMany)
    // A client that disconnected during authentication has already closed its response.
    if (request.raw.socket.destroyed) giveBack()
    else reply.raw.once('close', giveBack)
    return undefined
  }
}

const tooMany = 'more large bodies are being sent than the service can take at once; try again shortly'

/** A chunked body has no declared length, so it counts as the largest allowed. */
function sizeOf({ headers }: FastifyRequest, most: number): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : most
}

class Room {
  readonly #most: number
  readonly #taken = new Map<string, number>()
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Returns the function that releases the room, or undefined if there is not enough. */
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
