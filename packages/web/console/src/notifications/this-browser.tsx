import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { language } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { Section } from '../parts/page.tsx'
import type { PushState } from './push.ts'
import { TestButton } from './test-button.tsx'
import { type Subscriptions, usePush } from './use-push.ts'

/** Why nothing can be turned on, in words. Never silent: who does not know why waits for a message in vain. */
const obstacles: Readonly<Partial<Record<PushState, readonly [title: string, why: string]>>> = {
  unsupported: [
    t('This browser cannot receive push messages'),
    t('Use a current version of Chrome, Edge, Firefox or Safari, outside of a private window.'),
  ],
  not_installed: [
    t('First add the console to your home screen'),
    t(
      'On iPhone and iPad, only pages on the home screen receive push messages. Tap Share, then Add to Home Screen, open Gatehouse from there, and come back to this page.',
    ),
  ],
  insecure: [
    t('Push messages need https'),
    t('This page was opened over http, where browsers receive none. Open the console at its https address.'),
  ],
  denied: [
    t('Notifications are blocked for this page'),
    t(
      'You, or a rule of your device, have blocked them. Allow notifications for this page in the settings of the browser, beside the address, and reload the page.',
    ),
  ],
}

export function ThisBrowser({ subscriptions }: { subscriptions: Subscriptions }) {
  const { state, own_id, turnOn, turnOff } = usePush()
  const [is_busy, setBusy] = useState(false)
  const { public_key, off_reason, data } = subscriptions
  const obstacle = off_reason
    ? ([t('Push is off for this installation'), toldReason(off_reason)] as const)
    : state && obstacles[state]
  const run = (work: () => Promise<void>, failed: string) => {
    setBusy(true)
    work()
      .catch(error => showFailure(error, failed))
      .finally(() => setBusy(false))
  }
  const is_on = state === 'on' && data.some(({ id }) => id === own_id)
  return (
    <Section title="Push to this browser" about="Alarms appear here, also while the console is closed">
      {obstacle && (
        <Alert color="yellow" title={obstacle[0]} role="status">
          {obstacle[1]}
        </Alert>
      )}
      {!obstacle && public_key && state && (
        <Group>
          {is_on ? (
            <>
              <Text size="sm">Push is on in this browser.</Text>
              {own_id && <TestButton id={own_id} />}
              <Button
                variant="default"
                loading={is_busy}
                onClick={() => run(turnOff, t('Could not turn off push'))}
              >
                Turn off
              </Button>
            </>
          ) : (
            <Button
              loading={is_busy}
              onClick={() => run(() => turnOn(public_key), t('Could not turn on push'))}
            >
              Turn on push
            </Button>
          )}
        </Group>
      )}
    </Section>
  )
}

/** The service tells it in English, for the operator. */
function toldReason(reason: string): string {
  return language === 'en' ? reason : t('Ask the operator of this installation.')
}
