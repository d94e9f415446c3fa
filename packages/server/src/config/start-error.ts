/** The service cannot start for a reason that the operator can fix; the message is one sentence that says which. */
export class StartError extends Error {
  override name = 'StartError'
}
