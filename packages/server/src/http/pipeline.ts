import type { Endpoint } from '@gatehouse/api'
import { authenticate, requireScope } from './authenticate.ts'
import type { Exchange } from './exchange.ts'
import { answerQuery, change, command, read, readPage } from './perform.ts'
import { readListQuery, readPath, readQuery, refuseWhenFull, send } from './steps.ts'

type Step = (exchange: Exchange) => void | Promise<void>
type Column = Endpoint['verb']

const verbs: readonly Column[] = ['list', 'get', 'create', 'edit', 'delete', 'action', 'command', 'query']

/** What every request passes, top to bottom. One line a step, one column a verb, in the order of `verbs`. */
const table: readonly (readonly [Step, string])[] = [
  //                 list get create edit delete action command query
  [authenticate, '    x    x    x     x     x      x      x      x  '],
  [requireScope, '    x    x    x     x     x      x      x      x  '],
  [refuseWhenFull, '  .    .    x     x     x      x      x      .  '],
  [readPath, '        x    x    x     x     x      x      x      x  '],
  [readListQuery, '   x    .    .     .     .      .      .      .  '],
  [readQuery, '       .    x    x     x     x      x      x      x  '],
  [readPage, '        x    .    .     .     .      .      .      .  '],
  [read, '            .    x    .     .     .      .      .      .  '],
  [change, '          .    .    x     x     x      x      .      .  '],
  [command, '         .    .    .     .     .      .      x      .  '],
  [answerQuery, '     .    .    .     .     .      .      .      x  '],
  [send, '            x    x    x     x     x      x      x      x  '],
]

/** The steps of one endpoint. Those that need no waiting are not waited for. */
export function pipelineOf(endpoint: Endpoint): (exchange: Exchange) => Promise<void> {
  const column = verbs.indexOf(endpoint.verb)
  const steps = table.filter(([, marks]) => marks.trim().split(/\s+/)[column] === 'x').map(([step]) => step)
  return async exchange => {
    for (const step of steps) {
      const pending = step(exchange)
      if (pending) await pending
    }
  }
}
