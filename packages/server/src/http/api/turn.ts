import { overloaded, type Turn } from '../turnstile/turnstile.ts'
import type { Exchange } from './exchange.ts'
import { laneOf, laneOfExchange, weigh } from './weigh.ts'

/** Before the body is read; an edit may yet turn out to be a revocation. */
export function refuseEarly({ service, endpoint, caller }: Exchange): void | Promise<void> {
  if (endpoint.verb !== 'edit') return service.turnstile.refuseEarly(laneOf(endpoint), caller.organization_id)
}

/** With the body there: whoever sends slowly holds no turn. */
export function takeTurn(exchange: Exchange): void | Promise<void> {
  const { service, caller } = exchange
  const turn = service.turnstile.enter(laneOfExchange(exchange), caller.organization_id, weigh(exchange))
  if (turn instanceof Promise) return turn.then(given => hold(exchange, given))
  exchange.turn = turn
}

/** A caller that disconnected while waiting is not served. */
function hold(exchange: Exchange, turn: Turn): void {
  exchange.turn = turn
  if (exchange.request.raw.socket.destroyed) throw overloaded()
}

export function endTurn(exchange: Exchange): void {
  exchange.turn?.end()
  exchange.turn = undefined
}
