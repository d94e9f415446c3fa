import { t } from '../language/t.ts'

const words: Readonly<Record<string, string>> = {
  timeout: t('no answer within 10 seconds'),
  address_refused: t('private and reserved addresses are blocked'),
  name_not_found: t('the host name could not be resolved'),
  connection_failed: t('the connection was refused'),
  connection_closed: t('the connection was closed without an answer'),
  tls_failed: t('no secure connection, check the certificate of the server'),
  invalid_answer: t('the answer was not valid HTTP'),
  redirected: t('the server redirects, and redirects are not followed'),
  mail_refused: t('the mail server refused the address'),
  mail_failed: t('the mail server did not take the mail'),
  not_sent: t('the service could not send it'),
  push_off: t('push is off for this installation'),
}

interface Tried {
  readonly outcome: string
  readonly status_code?: number | null
}

/** Says why an attempt was not accepted. */
export function failureWords({ outcome, status_code }: Tried): string {
  const known = words[outcome]
  if (known) return status_code ? `${known} (${status_code})` : known
  return status_code ? t(`the server answered ${status_code}`) : outcome.replaceAll('_', ' ')
}
