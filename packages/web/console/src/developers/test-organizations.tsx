import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'wouter'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { IconFlask, IconPlus } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { TemplatePick } from '../parts/template-pick.tsx'
import type { Organization } from '../session/session.ts'
import { useApi } from '../session/use-api.ts'
import { roleWords } from '../users/role-words.ts'
import { DevelopersFrame } from './frame.tsx'

const columns: readonly Column<Organization>[] = [
  { title: 'Name', width: '2fr', render: ({ name }) => <Name>{name}</Name> },
  {
    title: 'Your role',
    width: '120px',
    render: ({ role }) => <span className="soft">{roleWords[role][0]}</span>,
  },
  {
    title: 'ID',
    width: '240px',
    on_phone: false,
    render: ({ id }) => <span className="mono soft">{id}</span>,
  },
]

/** Lists the organizations that contain only virtual devices and people. */
export function TestOrganizations() {
  const { session } = useApi()
  const [params, setParams] = useSearchParams()
  const items = session.organizations.filter(({ is_test, due_at }) => is_test && !due_at)
  const open = () => setParams({ new: '' })
  const list = { items, has_more: false, is_loading: false, is_stale: false, error: null }
  const nothing = () => undefined
  return (
    <DevelopersFrame
      actions={
        <Button leftSection={<IconPlus size={14} />} onClick={open}>
          New test organization
        </Button>
      }
    >
      <Rows
        label="Test organizations"
        list={{ ...list, loadMore: nothing, refetch: nothing }}
        columns={columns}
        href={({ id }) => `~/o/${id}`}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<IconFlask />}
            title="No test organizations yet"
            action={<Button onClick={open}>Create one from a template</Button>}
          >
            A test organization comes with virtual doors, devices and people, so you can build against the API
            without hardware.
          </Empty>
        }
      />
      {params.has('new') && <NewTestOrganization onClose={() => setParams({}, { replace: true })} />}
    </DevelopersFrame>
  )
}

function NewTestOrganization({ onClose }: { onClose: () => void }) {
  const { account } = useApi()
  const queries = useQueryClient()
  const [, go] = useLocation()
  const draft = useDraft(
    { name: '', template: 'hotel' },
    async values => {
      await account('POST', '/organizations', values)
      await queries.refetchQueries({ queryKey: ['session'] })
      go('/developers/organizations', { replace: true })
    },
    t('Could not create the organization'),
  )
  return (
    <FormModal
      title="New test organization"
      opened
      onClose={onClose}
      draft={draft}
      action="Create organization"
    >
      <TextInput
        label="Name"
        required
        maxLength={255}
        data-autofocus
        placeholder="Test hotel"
        value={draft.values.name}
        error={draft.errorOf('name')}
        onChange={event => draft.set('name', event.currentTarget.value)}
      />
      <TemplatePick
        label="Template"
        value={draft.values.template}
        onChange={value => draft.set('template', value)}
      />
    </FormModal>
  )
}
