import type { Session } from '../session/session.ts'

const key = 'gatehouse-organization'

export function rememberOrganization(id: string): void {
  localStorage.setItem(key, id)
}

/** Where the user was last, if that still is one of its own; else the first. */
export function lastOrganization({ organizations }: Session): string | undefined {
  const living = organizations.filter(({ due_at }) => due_at === null)
  const held = localStorage.getItem(key)
  return (living.find(({ id }) => id === held) ?? living[0])?.id
}
