/**
 * Works on every item, also after one whose work failed, so that one organization cannot keep the others
 * waiting. Throws at the end: the only failure itself, or all of them.
 */
export async function eachApart<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) await work(item).catch(error => failures.push(error))
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1)
    throw new AggregateError(failures, `${failures.length} of ${items.length} failed: ${failures[0]}`)
}
