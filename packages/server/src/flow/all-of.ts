/**
 * Like `Promise.all`, but waits for all of them also where one fails: a transaction must not end while a
 * statement of it is on its way.
 */
export async function allOf<Works extends readonly Promise<unknown>[]>(
  works: readonly [...Works],
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
