/** Returns the state that an action implies: that of the same name (`on`) or its participle (`locked`). */
export function impliedState(
  states: readonly { readonly id: string }[],
  actionId: string,
): string | undefined {
  const names = [actionId, `${actionId}d`, `${actionId}ed`]
  return names.find(name => states.some(({ id }) => id === name))
}
