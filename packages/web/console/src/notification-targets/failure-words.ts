const words: Readonly<Record<string, string>> = {
  timeout: 'no answer within 10 seconds',
  address_refused: 'private and reserved addresses are blocked',
  name_not_found: 'the host name could not be resolved',
  connection_failed: 'the connection was refused',
  connection_closed: 'the connection was closed without an answer',
  tls_failed: 'no secure connection, check the certificate of the server',
  invalid_answer: 'the answer was not valid HTTP',
  redirected: 'the server redirects, and redirects are not followed',
  mail_refused: 'the mail server refused the address',
  mail_failed: 'the mail server did not take the mail',
  not_sent: 'the service could not send it',
  push_off: 'push is off for this installation',
}

interface Tried {
  readonly outcome: string
  readonly status_code?: number | null
}

/** Says why an attempt was not accepted. */
export function failureWords({ outcome, status_code }: Tried): string {
  const known = words[outcome]
  if (known) return status_code ? `${known} (${status_code})` : known
  return status_code ? `the server answered ${status_code}` : outcome.replaceAll('_', ' ')
}
