import type { Endpoint } from '@gatehouse-access/api'
import { authenticate, requireDeleting, requireScope } from './authenticate.ts'
import { performBulk } from './bulk/perform-bulk.ts'
import type { Exchange, Run } from './exchange.ts'
import { keepWithin } from './keep-within.ts'
import { answerQuery, change, command, read, readPage } from './perform.ts'
import { readListQuery, readPath, readQuery, refuseChanges, refuseWhenFull, send } from './steps.ts'
import { refuseEarly, takeTurn } from './turn.ts'

type Column = Endpoint['verb']

const verbs: readonly Column[] = [
  'list',
  'get',
  'create',
  'edit',
  'delete',
  'action',
  'command',
  'query',
  'bulk',
]

type Steps = readonly (readonly [Run, string])[]

/** The steps of a request, top to bottom. Each line is a step, each column a verb in the order of `verbs`. */
const beforeBody: Steps = [
  //                 list get create edit delete action command query bulk
  [authenticate, '    x    x    x     x     x      x      x      x    x  '],
  [requireScope, '    x    x    x     x     x      x      x      x    x  '],
  [refuseChanges, '   .    .    x     x     x      x      x      .    .  '],
  [refuseWhenFull, '  .    .    x     .     x      x      x      .    .  '],
  [refuseEarly, '     x    x    x     x     x      x      x      x    .  '],
  [readPath, '        x    x    x     x     x      x      x      x    x  '],
  [keepWithin, '      x    x    x     x     x      x      x      x    .  '],
]
/** These steps can read the body. They do so only after checking that the objects in the path exist. */
const afterBody: Steps = [
  //                 list get create edit delete action command query bulk
  // The body tells whether an edit deletes.
  [refuseWhenFull, '  .    .    .     x     .      .      .      .    .  '],
  [requireDeleting, ' .    .    .     x     .      .      .      .    .  '],
  [takeTurn, '        x    x    x     x     x      x      x      x    .  '],
  [readListQuery, '   x    .    .     .     .      .      .      .    .  '],
  [readQuery, '       .    x    x     x     x      x      x      x    x  '],
  [readPage, '        x    .    .     .     .      .      .      .    .  '],
  [read, '            .    x    .     .     .      .      .      .    .  '],
  [change, '          .    .    x     x     x      x      .      .    .  '],
  [command, '         .    .    .     .     .      .      x      .    .  '],
  [answerQuery, '     .    .    .     .     .      .      .      x    .  '],
  // Its operations pass the lines above, each in its own column, and take turns.
  [performBulk, '     .    .    .     .     .      .      .      .    x  '],
  [send, '            x    x    x     x     x      x      x      x    x  '],
]

/** Returns the steps of an endpoint: those before its body is read, and the rest. */
export function pipelineOf({ verb }: Endpoint): { arrive: Run; answer: Run } {
  return { arrive: runner(stepsOf(beforeBody, verb)), answer: runner(stepsOf(afterBody, verb)) }
}

/** What a bulk does for all of its operations: it takes turns for them, and sends their answers as one. */
const doneByBulk: ReadonlySet<Run> = new Set([refuseEarly, takeTurn, send])

/**
 * Returns the steps of an endpoint as an operation of a bulk: those that admit it, which need no transaction,
 * and the rest, which begins with the path, since the path may refer to an earlier result.
 */
export function operationOf({ verb }: Endpoint): { admit: Run; perform: Run } {
  const known = operations.get(verb) ?? makeOperation(verb)
  operations.set(verb, known)
  return known
}

const operations = new Map<Column, ReturnType<typeof operationOf>>()

function makeOperation(verb: Column): ReturnType<typeof operationOf> {
  const steps = [...stepsOf(beforeBody, verb), ...stepsOf(afterBody, verb)].filter(
    step => !doneByBulk.has(step),
  )
  const first = steps.indexOf(readPath)
  return { admit: runner(steps.slice(0, first)), perform: runner(steps.slice(first)) }
}

function stepsOf(table: Steps, verb: Column): Run[] {
  const column = verbs.indexOf(verb)
  return table.filter(([, marks]) => marks.trim().split(/\s+/)[column] === 'x').map(([step]) => step)
}

function runner(steps: readonly Run[]): Run {
  return exchange => runFrom(0, steps, exchange)
}

/** Runs synchronous steps without awaiting, so that they cost no microtask. */
function runFrom(first: number, steps: readonly Run[], exchange: Exchange): void | Promise<void> {
  for (let index = first; index < steps.length; index++) {
    const pending = steps[index]?.(exchange)
    if (pending) return pending.then(() => runFrom(index + 1, steps, exchange))
  }
}
