import { ApiError } from '@gatehouse-access/sdk'
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { IconCheck, IconDots } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Confirm } from '../parts/confirm.tsx'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import { type Door, whyNot } from './door.ts'
import './overview.css'

interface ActionsProps {
  readonly door: Door
  /** Undefined while loading. */
  readonly whitelabel: boolean | undefined
  /** True in the head of a page, beside buttons of the usual size. */
  readonly is_head?: boolean
}

/**
 * Shows the first action as a button and the others in a menu. Disabled, with the reason, while the service
 * would refuse the action. Roles that do not open doors see none.
 */
export function DoorActions({ door, whitelabel, is_head = false }: ActionsProps) {
  const { client, may_run_doors } = useApi()
  const [running, setRunning] = useState<string>()
  const [done, setDone] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const reason = whyNot(door, whitelabel)
  useEffect(() => {
    const timer = done === undefined ? undefined : setTimeout(() => setDone(undefined), 2500)
    return () => clearTimeout(timer)
  }, [done])
  const run = async (action_id: string) => {
    setRunning(action_id)
    try {
      await client.gadgets.run_action(door.id, action_id)
      setDone(action_id)
    } catch (error) {
      if (isLockedDown(error)) setRefused(action_id)
      else showFailure(error, t(`Could not run the action on ${door.name}`))
    }
    setRunning(undefined)
  }
  const runAnyway = async (action_id: string) => {
    await client.gadgets.run_action(door.id, action_id, { override_emergency: true })
    setDone(action_id)
  }
  const [first, ...others] = door.actions
  if (!may_run_doors) return null
  if (!first) return <div className="door-actions" />
  const words = done === first.id ? t('Done') : first.name
  return (
    <div className="door-actions">
      <Tooltip label={reason} disabled={!reason} multiline maw={260}>
        <Button
          variant={done === first.id ? 'light' : 'default'}
          color={done === first.id ? 'teal' : 'gray'}
          size={is_head ? 'xs' : 'compact-sm'}
          loading={running === first.id}
          {...(reason && { 'data-disabled': true })}
          aria-disabled={reason ? true : undefined}
          aria-label={`${words}: ${door.name}${reason ? `. ${reason}` : ''}`}
          leftSection={done === first.id ? <IconCheck size={13} /> : undefined}
          onClick={() => (reason ? undefined : void run(first.id))}
        >
          {words}
        </Button>
      </Tooltip>
      {others.length > 0 && !reason && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              size={is_head ? 'md' : 'sm'}
              aria-label={`More actions for ${door.name}`}
              loading={others.some(({ id }) => id === running)}
            >
              <IconDots size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => void run(id)}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {refused !== undefined && (
        <Confirm
          title={`${door.name} is locked down`}
          action={`${door.actions.find(({ id }) => id === refused)?.name ?? 'Run'} anyway`}
          failed={`Could not run the action on ${door.name}`}
          onConfirm={() => runAnyway(refused)}
          onClose={() => setRefused(undefined)}
        >
          Nobody but exempt members opens this door now. The event says that you did it all the same.
        </Confirm>
      )}
    </div>
  )
}

function isLockedDown(error: unknown): boolean {
  return error instanceof ApiError && error.args.reason === 'lockdown'
}
