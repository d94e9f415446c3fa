/** The certificate authority refused something, or did not answer as RFC 8555 says. */
export class AcmeError extends Error {
  override name = 'AcmeError'
  readonly type: string
  /** Seconds after which the authority allows the next attempt. */
  readonly retry_after: number | undefined

  constructor(message: string, { type = '', retry_after }: { type?: string; retry_after?: number } = {}) {
    super(message)
    this.type = type
    this.retry_after = retry_after
  }
}

interface Problem {
  readonly type?: string
  readonly detail?: string
  readonly subproblems?: readonly Problem[]
}

/** The text comes from outside, so it is cut. */
export function problemIn(body: unknown, retry_after?: number): AcmeError {
  const { type = '', detail = '', subproblems = [] } = (body ?? {}) as Problem
  const kind = type.replace('urn:ietf:params:acme:error:', '')
  const details = [detail, ...subproblems.map(problem => problem.detail)].filter(Boolean).join('; ')
  const message = `the certificate authority refused: ${kind || 'no reason'} ${details}`.trim().slice(0, 500)
  return new AcmeError(message, { type: kind, ...(retry_after !== undefined && { retry_after }) })
}
