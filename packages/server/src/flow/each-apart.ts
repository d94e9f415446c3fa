/**
 * Works on every item, also after one whose work failed, so that one organization cannot keep the others
 * waiting. Throws at the end: the only failure itself, or all of them, with the first as their cause.
 */
export async function eachApart<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) await work(item).catch(error => failures.push(error))
  const [cause] = failures
  if (failures.length === 1) throw cause
  if (failures.length > 1)
    throw new AggregateError(failures, `${failures.length} of ${items.length} failed`, { cause })
}
