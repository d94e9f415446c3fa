/** The state that an action plainly leads to: the one of its own name (`on`), or of what it does (`lock`, `locked`). */
export function impliedState(
  states: readonly { readonly id: string }[],
  actionId: string,
): string | undefined {
  const names = [actionId, `${actionId}d`, `${actionId}ed`]
  return names.find(name => states.some(({ id }) => id === name))
}
