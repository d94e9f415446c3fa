import { overloaded, type Turn } from '../turnstile/turnstile.ts'
import type { Exchange } from './exchange.ts'
import { laneOf, laneOfExchange, weigh } from './weigh.ts'

/** Runs before the body is read. Skips edits, since the body may make an edit a revocation. */
export function refuseEarly({ service, endpoint, caller }: Exchange): void | Promise<void> {
  if (endpoint.verb !== 'edit') return service.turnstile.refuseEarly(laneOf(endpoint), caller.organization_id)
}

/** Runs after the body has been read, so that a slow sender does not hold a turn. */
export function takeTurn(exchange: Exchange): void | Promise<void> {
  const { service, caller } = exchange
  const turn = service.turnstile.enter(laneOfExchange(exchange), caller.organization_id, weigh(exchange))
  if (turn instanceof Promise) return turn.then(given => hold(exchange, given))
  exchange.turn = turn
}

/** Refuses a caller that disconnected while waiting. */
function hold(exchange: Exchange, turn: Turn): void {
  exchange.turn = turn
  if (exchange.request.raw.socket.destroyed) throw overloaded()
}

export function endTurn(exchange: Exchange): void {
  exchange.turn?.end()
  exchange.turn = undefined
}
