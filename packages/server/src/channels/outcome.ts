import type { Answer } from '../delivery/webhooks/send.ts'

/** What became of one attempt. A failed attempt is an outcome too: channels never reject. */
export interface Outcome {
  readonly is_delivered: boolean
  /** Whether the same message may arrive later. False if the target itself is wrong. */
  readonly may_retry: boolean
  readonly status_code: number | null
  /** A word for what failed. Neither URLs nor secrets. */
  readonly error:
    | NonNullable<Answer['error']>
    | 'mail_refused'
    | 'mail_failed'
    | 'push_off'
    | 'redirected'
    | 'not_sent'
    | null
  /** The first 200 bytes of the answer. */
  readonly answer: string | null
  /** Milliseconds. */
  readonly latency: number
  /** What the receiver asked for, as it sent it. */
  readonly retry_after?: string | undefined
}

/** An attempt that failed in the service itself. */
export const notSent: Outcome = {
  is_delivered: false,
  may_retry: true,
  status_code: null,
  error: 'not_sent',
  answer: null,
  latency: 0,
}

const keptAnswer = 200

/** Errors that trying again does not mend. */
const lasting: ReadonlySet<string> = new Set(['address_refused', 'tls_failed'])

export function outcomeOf(sent: Answer): Outcome {
  const { status_code, error, answer, latency, retry_after } = sent
  const is_delivered = status_code !== null && status_code >= 200 && status_code < 300
  const is_redirect = status_code !== null && status_code >= 300 && status_code < 400
  return {
    is_delivered,
    may_retry: !is_delivered && (error === null ? isPassing(status_code) : !lasting.has(error)),
    status_code,
    error: is_redirect ? 'redirected' : error,
    answer: answer === null ? null : shorten(answer),
    latency,
    retry_after,
  }
}

function isPassing(status: number | null): boolean {
  return status !== null && (status >= 500 || status === 408 || status === 425 || status === 429)
}

/** Cuts at a character, at most 200 bytes in. */
export function shorten(answer: string): string {
  const bytes = Buffer.from(answer)
  return bytes.length <= keptAnswer
    ? answer
    : new TextDecoder().decode(bytes.subarray(0, keptAnswer), { stream: true })
}
