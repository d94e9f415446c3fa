/**
 * Works on every item, also after one whose work failed, so that one organization cannot keep the others
 * waiting. Throws at the end: the only failure itself, or all of them, with the first as their cause.
 */
export async function eachApart<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  let count = 0
  for await (const item of items) {
    count++
    await work(item).catch(error => failures.push(error))
  }
  const [cause] = failures
  if (failures.length === 1) throw cause
  if (failures.length > 1)
    throw new AggregateError(failures, `${failures.length} of ${count} failed`, { cause })
}
