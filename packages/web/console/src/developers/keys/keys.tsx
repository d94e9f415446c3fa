import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { useAccountList, useAccountRefresh } from '../../data/use-account.ts'
import { IconKey, IconPlus, IconTrash } from '../../icons/icons.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Name } from '../../parts/name.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { Ago, formatDay } from '../../parts/time.tsx'
import { useApi } from '../../session/use-api.ts'
import { scopeWords } from '../../users/role-words.ts'
import { DevelopersFrame } from '../frame.tsx'
import { type ApiKey, keysPath } from './api-key.ts'
import { NewKey } from './new-key.tsx'

/** Lists the API keys of the organization. Only administrators see them. */
export function ApiKeys() {
  const { organization } = useApi()
  if (organization.role === 'owner' || organization.role === 'administrator') return <Shown />
  return (
    <DevelopersFrame>
      <Empty icon={<IconKey />} title="API keys are for administrators">
        Ask an owner or an administrator of this organization for a key.
      </Empty>
    </DevelopersFrame>
  )
}

function Shown() {
  const { organization } = useApi()
  const [params, setParams] = useSearchParams()
  const [revoking, setRevoking] = useState<ApiKey>()
  const list = useAccountList<ApiKey>(keysPath(organization.id))
  const open = () => setParams({ new: '' })
  return (
    <DevelopersFrame
      actions={
        <Button leftSection={<IconPlus size={14} />} onClick={open}>
          New API key
        </Button>
      }
    >
      <Rows
        label="API keys"
        list={list}
        is_tall
        columns={columnsWith(setRevoking)}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconKey />}
            title="No API keys yet"
            action={<Button onClick={open}>Create your first key</Button>}
          >
            A key lets your own scripts use the API of this organization, without an application and without
            signing in.
          </Empty>
        }
      />
      {params.has('new') && <NewKey onClose={() => setParams({}, { replace: true })} />}
      {revoking && <Revoke of={revoking} onClose={() => setRevoking(undefined)} />}
    </DevelopersFrame>
  )
}

function columnsWith(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  return [
    { title: 'Name', width: '1.4fr', render: ({ name }) => <Name>{name}</Name> },
    {
      title: 'Access',
      width: '2fr',
      render: ({ scopes }) => <span className="soft">{scopeWords(scopes)}</span>,
    },
    { title: 'Key', width: '80px', render: ({ hint }) => <span className="mono soft">…{hint}</span> },
    {
      title: 'Ends',
      width: '110px',
      render: ({ expires_at }) => (
        <span className="soft">{expires_at ? formatDay(expires_at) : 'Never'}</span>
      ),
    },
    {
      title: 'Last used',
      width: '100px',
      render: ({ last_used_at }) => (
        <span className="soft">{last_used_at ? <Ago at={last_used_at} /> : 'Never'}</span>
      ),
    },
    {
      title: 'Actions',
      is_actions: true,
      width: '70px',
      render: key => (
        <span className="row-actions">
          <Tooltip label="Revoke">
            <ActionIcon aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        </span>
      ),
    },
  ]
}

function Revoke({ of: { id, name }, onClose }: { of: ApiKey; onClose: () => void }) {
  const { account, organization } = useApi()
  const refresh = useAccountRefresh()
  const path = keysPath(organization.id)
  return (
    <Confirm
      title="Revoke API key"
      action="Revoke"
      failed="Could not revoke the key"
      onClose={onClose}
      onConfirm={async () => {
        await account('DELETE', `${path}/${id}`)
        await refresh(path)
      }}
    >
      <Name>{name}</Name> is refused at once, and its webhooks are deleted. This cannot be undone.
    </Confirm>
  )
}
