/** The service cannot start for a reason the operator can mend; the message is one sentence that says which. */
export class StartError extends Error {
  override name = 'StartError'
}
