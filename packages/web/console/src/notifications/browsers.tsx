import { Button, Group, Text } from '@mantine/core'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { Section } from '../parts/page.tsx'
import { OwnTime } from '../sites/own-time.tsx'
import { TestButton } from './test-button.tsx'
import { type Subscription, usePush } from './use-push.ts'

/** The user's other browsers and phones. */
export function Browsers({ all }: { all: readonly Subscription[] }) {
  const { own_id } = usePush()
  const others = all.filter(({ id }) => id !== own_id)
  if (others.length === 0) return null
  return (
    <Section title="Your other browsers" about="Up to 10 browsers can receive push messages">
      {others.map(subscription => (
        <Browser key={subscription.id} {...subscription} />
      ))}
    </Section>
  )
}

function Browser({ id, name, created_at, last_success_at }: Subscription) {
  const { remove } = usePush()
  return (
    <Group justify="space-between" mb="xs">
      <div>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          Since <OwnTime at={created_at} />
          {last_success_at && (
            <>
              , last message <OwnTime at={last_success_at} />
            </>
          )}
        </Text>
      </div>
      <Group gap="xs">
        <TestButton id={id} />
        <Button
          variant="subtle"
          color="red"
          onClick={() =>
            void remove(id).catch(error => showFailure(error, t('Could not remove the browser')))
          }
        >
          Remove
        </Button>
      </Group>
    </Group>
  )
}
