import { Button, Code, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useAccount, useAccountRefresh } from '../../data/use-account.ts'
import { IconRotate } from '../../icons/icons.ts'
import { t } from '../../language/t.ts'
import { Failure, showFailure } from '../../parts/failure.tsx'
import { LoadingLines } from '../../parts/loading.tsx'
import { Facts } from '../../parts/page.tsx'
import { formatExact } from '../../parts/time.tsx'
import { useApi } from '../../session/use-api.ts'
import { OwnTime } from '../../sites/own-time.tsx'
import type { Attempt, Delivery } from '../applications/account-objects.ts'
import { DeliveryState } from './delivery-state.tsx'

interface DrawerProps {
  readonly path: string
  readonly id: string
  readonly onClose: () => void
}

/** Shows one delivery: every attempt with its request and response. */
export function DeliveryDrawer({ path, id, onClose }: DrawerProps) {
  const { data, error, refetch } = useAccount<Delivery>(`${path}/deliveries/${id}`, { every: 2000 })
  return (
    <Drawer opened onClose={onClose} title="Delivery" position="right" size="lg">
      {error && <Failure error={error} retry={refetch} />}
      {!data && !error && <LoadingLines lines={6} />}
      {data && <Shown path={path} delivery={data} />}
    </Drawer>
  )
}

function Shown({ path, delivery }: { path: string; delivery: Delivery }) {
  const { account } = useApi()
  const refresh = useAccountRefresh()
  const retry = async () => {
    try {
      await account('POST', `${path}/deliveries/${delivery.id}/retry`)
    } catch (error) {
      showFailure(error, t('Could not retry the delivery'))
    }
    await refresh(path)
  }
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <DeliveryState {...delivery} />
        <Button variant="default" leftSection={<IconRotate size={14} />} onClick={() => void retry()}>
          Retry now
        </Button>
      </Group>
      <Facts
        facts={[
          [t('Created'), <OwnTime key="made" at={delivery.created_at} format={formatExact} />],
          ...(delivery.next_attempt_at
            ? [
                [
                  t('Next attempt'),
                  <OwnTime key="next" at={delivery.next_attempt_at} format={formatExact} />,
                ] as const,
              ]
            : []),
          [
            t('Event'),
            <code key="event" className="mono">
              {delivery.event_id}
            </code>,
          ],
          [
            'ID',
            <code key="id" className="mono">
              {delivery.id}
            </code>,
          ],
        ]}
      />
      <Title order={2} size="h6">
        Attempts
      </Title>
      {delivery.attempts.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet.
        </Text>
      )}
      {delivery.attempts.toReversed().map(attempt => (
        <AttemptEntry key={attempt.attempted_at} attempt={attempt} />
      ))}
      <Title order={2} size="h6">
        Payload
      </Title>
      <Code block className="developers-code" tabIndex={0}>
        {pretty(delivery.payload ?? t('The event is no longer stored.'))}
      </Code>
    </Stack>
  )
}

const reasons: Readonly<Record<string, string>> = {
  timeout: t('The receiver did not respond within 10 seconds.'),
  address_refused: t(
    'Private and reserved addresses are blocked. The operator can allow specific ones with GATEHOUSE_WEBHOOK_ALLOW.',
  ),
  name_not_found: t('The host name in the URL could not be resolved.'),
  connection_failed: t('The connection was refused.'),
  connection_closed: t('The receiver closed the connection without responding.'),
  tls_failed: t('Could not establish a secure connection. Check the receiver’s certificate.'),
  invalid_answer: t('The response was not valid HTTP.'),
}

function AttemptEntry({
  attempt: { attempted_at, status_code, latency, error, answer },
}: {
  attempt: Attempt
}) {
  const is_good = status_code !== null && status_code >= 200 && status_code < 300
  return (
    <div className="developers-attempt">
      <Group gap={8}>
        <span className="dot" data-tone={is_good ? 'good' : 'bad'} />
        <Text size="sm" fw={500}>
          {status_code ?? error?.replaceAll('_', ' ')}
        </Text>
        <Text size="sm" c="dimmed">
          after {latency} ms, <OwnTime at={attempted_at} format={formatExact} />
        </Text>
      </Group>
      {error && reasons[error] && (
        <Text size="sm" c="dimmed">
          {reasons[error]}
        </Text>
      )}
      {answer && (
        <Code block className="developers-code" tabIndex={0}>
          {answer}
        </Code>
      )}
    </div>
  )
}

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
