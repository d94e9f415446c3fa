import type { Session } from '../session/session.ts'

const key = 'gatehouse-organization'

export function rememberOrganization(id: string): void {
  localStorage.setItem(key, id)
}

/** Returns the organization used last if the user still belongs to it, else the oldest. Ids sort by age. */
export function lastOrganization({ organizations }: Session): string | undefined {
  const living = organizations
    .filter(({ due_at }) => due_at === null)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  const held = localStorage.getItem(key)
  return (living.find(({ id }) => id === held) ?? living[0])?.id
}
