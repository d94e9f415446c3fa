import { ApiError, ConnectionError } from '@gatehouse-access/sdk'
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from 'wouter'
import { IconAlertTriangle } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { signInAgainHref, signInHref } from '../session/session.ts'
import { plainWords } from './plain-words.ts'

const titles: Record<string, string> = {
  invalid_request: t('The request was not accepted'),
  unauthenticated: t('You are signed out'),
  permission_denied: t('You do not have permission to do this'),
  not_found: t('Not found'),
  hardware_offline: t('The device is offline'),
  hardware_timeout: t('The device did not respond in time'),
  precondition_failed: t('Someone else has changed this'),
  rate_limited: t('Too many requests'),
  unavailable: t('The service is temporarily unavailable'),
  storage_full: t('The disk is full'),
  internal: t('Something went wrong on our side'),
  unknown: t('Could not reach the service'),
}

export interface Explanation {
  readonly title: string
  readonly why: string
  readonly request_id: string | undefined
}

/** Returns what went wrong and why, in words for users. */
export function explainFailure(error: unknown): Explanation {
  if (error instanceof ApiError)
    return {
      title: titles[error.type] ?? 'Something went wrong',
      why: whyOf(error),
      request_id: error.request_id,
    }
  if (error instanceof ConnectionError)
    return {
      title: 'Could not reach the service',
      why: t('Check your connection and try again.'),
      request_id: undefined,
    }
  if (isLost(error))
    return {
      title: 'Could not load this page',
      why: t('The connection was lost, or the console has been updated. Try again.'),
      request_id: undefined,
    }
  return {
    title: 'Something went wrong on this page',
    why: String((error as Error)?.message ?? error),
    request_id: undefined,
  }
}

/**
 * Returns true if the browser could not load a chunk of the console. Each browser words this error
 * differently.
 */
export function isLost(error: unknown): boolean {
  return /dynamically imported module|module script failed|preload CSS/i.test(String(error))
}

/** Returns true if the address leads to no object, deleted or mistyped. A retry would not help. */
function isNowhere(error: unknown): boolean {
  return error instanceof ApiError && (error.type === 'not_found' || error.type === 'invalid_request')
}

/** Replaces messages that are meant for programs, such as those about a missing session. */
function whyOf(error: ApiError): string {
  if (error.type === 'unauthenticated') return t('Your session has ended.')
  if (error.args.reason === 'not_recent')
    return t('For this, you must have signed in within the last 10 minutes.')
  return error.type === 'unknown' ? betweenWords(error) : sentence(plainWords(error.message))
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.type === 'unauthenticated'
}

/** Returns the sign-in address if a new sign-in would help. */
function findSignIn(error: unknown): string | undefined {
  if (isSignedOut(error)) return signInHref()
  const reason = error instanceof ApiError ? error.args.reason : undefined
  if (reason === 'not_recent') return signInAgainHref('1')
  return reason === 'second_factor_needed' ? signInAgainHref('factor') : undefined
}

function betweenWords({ status }: ApiError): string {
  return t(`A server in between responded with status ${status}. Try again in a moment.`)
}

function sentence(text: string): string {
  // Field names keep their spelling.
  const is_field = /^\w*[._]/.test(text)
  const first = is_field ? text : text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}

interface FailureProps {
  readonly error: unknown
  readonly retry?: () => unknown
  /** True when it is the only content of the page. */
  readonly is_page?: boolean
}

/** Replaces content that could not be loaded. */
export function Failure({ error, retry, is_page }: FailureProps) {
  const is_nowhere = is_page && isNowhere(error)
  const { title, why, request_id } = explainFailure(error)
  const sign_in = findSignIn(error)
  return (
    <Stack className="failure" gap="xs" role="alert">
      <Group gap="xs" wrap="nowrap">
        <IconAlertTriangle size={18} className="bad-ink" aria-hidden />
        <Text fw={600} component={is_page ? 'h1' : 'div'} m={0}>
          {is_nowhere ? titles.not_found : title}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {why}
      </Text>
      <Group gap="sm">
        {is_nowhere && (
          <Button component={Link} href="/" variant="default">
            Go to overview
          </Button>
        )}
        {sign_in && (
          <Button component="a" href={sign_in} variant="default">
            Sign in again
          </Button>
        )}
        {retry && !is_nowhere && !sign_in && (
          <Button variant="default" onClick={() => retry()}>
            Try again
          </Button>
        )}
        {request_id && (
          <Text size="xs" c="dimmed">
            Request <Code>{request_id}</Code>
          </Text>
        )}
      </Group>
    </Stack>
  )
}

/** Shows a notice about a failed user action. Returns a function that hides the notice. */
export function showFailure(error: unknown, what?: string): () => void {
  const { title, why, request_id } = explainFailure(error)
  const sign_in = findSignIn(error)
  const id = notifications.show({
    color: 'red',
    autoClose: 12_000,
    title: what ?? title,
    message: (
      <>
        {why}
        {sign_in && (
          <>
            {' '}
            <Anchor href={sign_in} inherit>
              Sign in again
            </Anchor>
          </>
        )}
        {request_id && (
          <Text size="xs" c="dimmed" mt={4}>
            Request {request_id}
          </Text>
        )}
      </>
    ),
  })
  return () => void notifications.hide(id)
}
