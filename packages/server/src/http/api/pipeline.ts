import type { Endpoint } from '@gatehouse-access/api'
import { authenticate, requireScope } from './authenticate.ts'
import type { Exchange } from './exchange.ts'
import { answerQuery, change, command, read, readPage } from './perform.ts'
import { readListQuery, readPath, readQuery, refuseChanges, refuseWhenFull, send } from './steps.ts'
import { refuseEarly, takeTurn } from './turn.ts'

type Step = (exchange: Exchange) => void | Promise<void>
type Column = Endpoint['verb']

const verbs: readonly Column[] = ['list', 'get', 'create', 'edit', 'delete', 'action', 'command', 'query']

type Steps = readonly (readonly [Step, string])[]

/** The steps of a request, top to bottom. Each line is a step, each column a verb in the order of `verbs`. */
const beforeBody: Steps = [
  //                 list get create edit delete action command query
  [authenticate, '    x    x    x     x     x      x      x      x  '],
  [requireScope, '    x    x    x     x     x      x      x      x  '],
  [refuseChanges, '   .    .    x     x     x      x      x      .  '],
  [refuseWhenFull, '  .    .    x     .     x      x      x      .  '],
  [refuseEarly, '     x    x    x     x     x      x      x      x  '],
  [readPath, '        x    x    x     x     x      x      x      x  '],
]
/** These steps can read the body. They do so only after checking that the objects in the path exist. */
const afterBody: Steps = [
  //                 list get create edit delete action command query
  // The body tells whether an edit deletes.
  [refuseWhenFull, '  .    .    .     x     .      .      .      .  '],
  [takeTurn, '        x    x    x     x     x      x      x      x  '],
  [readListQuery, '   x    .    .     .     .      .      .      .  '],
  [readQuery, '       .    x    x     x     x      x      x      x  '],
  [readPage, '        x    .    .     .     .      .      .      .  '],
  [read, '            .    x    .     .     .      .      .      .  '],
  [change, '          .    .    x     x     x      x      .      .  '],
  [command, '         .    .    .     .     .      .      x      .  '],
  [answerQuery, '     .    .    .     .     .      .      .      x  '],
  [send, '            x    x    x     x     x      x      x      x  '],
]

type Run = (exchange: Exchange) => void | Promise<void>

/** Returns the steps of an endpoint: those before its body is read, and the rest. */
export function pipelineOf({ verb }: Endpoint): { arrive: Run; answer: Run } {
  return { arrive: runner(beforeBody, verb), answer: runner(afterBody, verb) }
}

function runner(table: Steps, verb: Column): Run {
  const column = verbs.indexOf(verb)
  const steps = table.filter(([, marks]) => marks.trim().split(/\s+/)[column] === 'x').map(([step]) => step)
  return exchange => runFrom(0, steps, exchange)
}

/** Runs synchronous steps without awaiting, so that they cost no microtask. */
function runFrom(first: number, steps: readonly Step[], exchange: Exchange): void | Promise<void> {
  for (let index = first; index < steps.length; index++) {
    const pending = steps[index]?.(exchange)
    if (pending) return pending.then(() => runFrom(index + 1, steps, exchange))
  }
}
