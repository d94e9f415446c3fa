import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command.ts'
import {
  askForTokens,
  type DeviceAuthorization,
  describeRefusal,
  isRefused,
  type Refused,
  type Tokens,
} from './ask-oauth.ts'

const endings: Readonly<Record<string, string>> = {
  access_denied: 'You were not logged in: the request was denied.',
  expired_token: 'The code has expired: run gatehouse login again.',
}

/** Asks until the user has decided on the page (RFC 8628, 3.4). A failed connection is tried again. */
export async function waitForUser(
  url: string,
  { device_code, interval, expires_in }: DeviceAuthorization,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<Tokens> {
  const end = performance.now() + expires_in * 1000
  let seconds = interval
  for (;;) {
    await wait(seconds * 1000)
    const answer = await askForTokens(url, device_code).catch((error): Refused => {
      if (performance.now() > end) throw error
      return { error: 'authorization_pending' }
    })
    if (!isRefused(answer)) return answer
    if (answer.error === 'slow_down') seconds += 5
    else if (answer.error !== 'authorization_pending')
      throw new CommandError(endings[answer.error] ?? `You were not logged in: ${describeRefusal(answer)}.`)
  }
}
