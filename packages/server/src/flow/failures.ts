export { codeOf, messageOf } from '@gatehouse/core'

/** Whether the system refused something, and not code of ours. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== undefined
}
