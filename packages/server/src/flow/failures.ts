export { codeOf, messageOf } from '@gatehouse-access/core'

/** Whether the error comes from a system call rather than from our own code. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== undefined
}
