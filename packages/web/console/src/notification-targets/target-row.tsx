import { ActionIcon, Badge, Button, Menu } from '@mantine/core'
import { IconAt, IconDots, IconSend, IconWebhook } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Name } from '../parts/name.tsx'
import { RestoreButton } from '../parts/restore-button.tsx'
import { useAskRemove } from '../parts/use-ask-remove.tsx'
import { useApi } from '../session/use-api.ts'
import { targetLossesOf } from './losses.ts'
import type { Target } from './target.ts'
import { useTest } from './use-test.ts'

const icons = { email: IconAt, ntfy: IconSend, http: IconWebhook } as const

interface TargetRowProps {
  readonly target: Target
  readonly onEdit: () => void
  readonly onProve: () => void
}

export function TargetRow({ target, onEdit, onProve }: TargetRowProps) {
  const { client, may_write } = useApi()
  const { send, is_busy, outcome } = useTest(target)
  const Icon = icons[target.kind]
  const removal = {
    id: target.id,
    name: target.name,
    plurals: ['notification_targets', 'alarm_rules'],
    remove: () => client.notification_targets.delete(target.id),
    restore: () => client.notification_targets.edit(target.id, { is_deleted: false }),
  }
  const { ask, dialog } = useAskRemove({ removal, losses: () => targetLossesOf(client, target.id) })
  return (
    <li className="target">
      <span className="event-icon">
        <Icon size={15} stroke={1.8} />
      </span>
      <div className="target-text">
        <div className="target-name">
          <Name>{target.name}</Name>
          {target.is_deleted && <Badge color="red">{t('Deleted', 'target')}</Badge>}
          {!target.is_verified && <Badge color="yellow">Not proved</Badge>}
        </div>
        <div className="target-where soft">
          <Name>{whereOf(target)}</Name>
        </div>
        {outcome && (
          <p className={outcome.is_good ? 'target-outcome good-ink' : 'target-outcome bad-ink'} role="status">
            {outcome.words}
          </p>
        )}
      </div>
      {may_write && target.is_deleted && <RestoreButton removal={removal} label={`Restore ${target.name}`} />}
      {may_write && !target.is_deleted && (
        <div className="target-actions">
          {target.is_verified ? (
            <Button
              variant="default"
              leftSection={<IconSend size={14} />}
              loading={is_busy}
              aria-label={`Send a test to ${target.name}`}
              onClick={() => void send()}
            >
              Send a test
            </Button>
          ) : (
            <Button aria-label={`Prove it: ${target.name}`} onClick={onProve}>
              Prove it
            </Button>
          )}
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon size="lg" aria-label={`More for ${target.name}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={onEdit}>Edit</Menu.Item>
              <Menu.Item color="red" onClick={ask}>
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
      {dialog}
    </li>
  )
}

function whereOf({ kind, address, url, topic }: Target): string {
  if (kind === 'email') return address ?? ''
  return kind === 'ntfy' ? t(`${topic} at ${url}`) : (url ?? '')
}
