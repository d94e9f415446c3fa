import { Anchor, Button, Group } from '@mantine/core'
import { IconShieldLock } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import type { Organization, Refusal } from '../session/session.ts'

const words = {
  second_factor_required: {
    title: 'Two-factor authentication required',
    action: 'Set up two-factor authentication',
    text: t(
      'requires signing in with an authenticator app or a passkey. Set one up, then sign in again with it.',
    ),
  },
  sign_in_again: {
    title: 'You were signed out',
    action: 'Sign in again',
    text: t('requires you to sign in again: an administrator signed you out.'),
  },
} as const

/** Replaces the screens of an organization that this session may not act for, and shows how to get access. */
export function Refused({ organization, refusal }: { organization: Organization; refusal: Refusal }) {
  const { title, action, text } = words[refusal]
  const again = `/sign-in?again=1&return_to=${encodeURIComponent(`/o/${organization.id}`)}`
  const needs_factor = refusal === 'second_factor_required'
  return (
    <main className="blank">
      <Empty
        icon={<IconShieldLock />}
        title={title}
        is_page
        action={
          <Group gap="sm" justify="center">
            <Button component="a" href={needs_factor ? '/security' : again}>
              {action}
            </Button>
            {needs_factor && (
              <Button component="a" href={again} variant="default">
                Sign in again
              </Button>
            )}
            <Anchor href="/account" size="sm">
              Your account
            </Anchor>
          </Group>
        }
      >
        <Name>{organization.name}</Name> {text}
      </Empty>
    </main>
  )
}
