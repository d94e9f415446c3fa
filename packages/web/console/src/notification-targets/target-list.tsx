import { Button } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../data/use-list.ts'
import { IconPlus, IconSend } from '../icons/icons.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { EditTarget } from './edit-target.tsx'
import { ProveAddress } from './prove-address.tsx'
import type { Target } from './target.ts'
import { TargetRow } from './target-row.tsx'
import '../events/events.css'
import './notification-targets.css'

/** Where people are told, beside their own push and email: addresses of the organization. */
export function TargetList({ is_deleted }: { is_deleted: boolean }) {
  const { may_write } = useApi()
  const list = useList('notification_targets', { sort: 'name:asc', limit: 100, is_deleted })
  const [editing, setEditing] = useState<Target | 'new'>()
  const [proving, setProving] = useState<Target>()
  const done = (target: Target) => {
    setEditing(undefined)
    if (!target.is_verified) setProving(target)
  }
  return (
    <Section
      title="Targets"
      about="Addresses that rules can name beside people: a shared mailbox, an ntfy topic, a receiver of your own"
      flush
      actions={
        may_write && (
          <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setEditing('new')}>
            New target
          </Button>
        )
      }
    >
      {list.is_loading && (
        <div className="section-body">
          <LoadingLines lines={3} />
        </div>
      )}
      {list.error && list.items.length === 0 && <Failure error={list.error} retry={list.refetch} />}
      {!list.is_loading && !list.error && list.items.length === 0 && is_deleted && (
        <Empty icon={<IconSend />} title="No deleted targets" />
      )}
      {!list.is_loading && !list.error && list.items.length === 0 && !is_deleted && (
        <Empty icon={<IconSend />} title="No targets yet">
          Rules can tell owners, administrators and users without one.
        </Empty>
      )}
      <ul className="targets" aria-label="Targets">
        {list.items.map(target => (
          <TargetRow
            key={target.id}
            target={target}
            onEdit={() => setEditing(target)}
            onProve={() => setProving(target)}
          />
        ))}
      </ul>
      {editing && (
        <EditTarget
          {...(editing !== 'new' && { target: editing })}
          onClose={() => setEditing(undefined)}
          onDone={done}
        />
      )}
      {proving && <ProveAddress target={proving} onClose={() => setProving(undefined)} />}
    </Section>
  )
}
