import { runBulk } from '../data/run-bulk.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { someNames } from '../parts/some-names.ts'
import { showUndo } from '../parts/undo-notice.tsx'
import { useApi } from '../session/use-api.ts'
import { type ChangeKind, changeKinds } from './bulk-change.ts'
import { type Card, titleOf } from './card.ts'

/** A card that could not be changed, and why. */
export interface Refused {
  readonly id: string
  readonly title: string
  readonly why: string
}

type Change = (cards: readonly Card[], onProgress: (done: number) => void) => Promise<readonly Refused[]>

/** Returns a function that changes cards and offers to undo it. It returns those that were refused. */
export function useBulkChange(kind: ChangeKind): Change {
  const { client } = useApi()
  const refresh = useRefresh()
  const { operationOf, undoOf, sayDone } = changeKinds[kind]
  const takeBack = async (cards: readonly Card[]) => {
    const steps = cards.flatMap(card => undoOf(card).map(operation => ({ card, operation })))
    const refusals = await runBulk(
      client,
      steps.map(({ operation }) => operation),
    )
    refresh('cards', 'members')
    const left = new Set(steps.flatMap(({ card }, at) => (refusals[at] === undefined ? [] : [titleOf(card)])))
    if (left.size > 0) throw new Error(t(`Not set back: ${someNames([...left])}.`))
  }
  return async (cards, onProgress) => {
    onProgress(0)
    const operations = cards.map(card => operationOf(card))
    const refusals = await runBulk(client, operations, onProgress)
    refresh('cards', 'members')
    const done = cards.filter((_, at) => refusals[at] === undefined)
    if (done.length > 0)
      showUndo({
        message: sayDone(done.length),
        undo: () => takeBack(done),
        undone: 'The cards are as they were before',
        failed: 'Could not undo the change',
      })
    return cards.flatMap((card, at) => {
      const why = refusals[at]
      return why === undefined ? [] : [{ id: card.id, title: titleOf(card), why }]
    })
  }
}
