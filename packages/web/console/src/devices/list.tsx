import { catalogue } from '@gatehouse-access/api'
import { SegmentedControl } from '@mantine/core'
import { useLocation, useSearchParams } from 'wouter'
import type { QueryOf } from '../data/collections.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { SearchSelect } from '../form/search-select.tsx'
import { IconCpu } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import { OnlineDot } from '../parts/online-dot.tsx'
import type { Column } from '../parts/rows.tsx'
import { useApi } from '../session/use-api.ts'
import { type Device, modelName, modelWords, powerWords } from './device.ts'
import './devices.css'

const columns: readonly Column<Device>[] = [
  {
    title: 'Name',
    width: '2fr',
    render: ({ name, status }) => (
      <span className="two-lines">
        <OnlineDot is_online={status.online} /> <Name>{name}</Name>
      </span>
    ),
  },
  {
    title: 'Site',
    width: '1.5fr',
    render: ({ site }) => (
      <span className="two-lines">
        <Name>{site?.name}</Name>
      </span>
    ),
  },
  {
    title: 'Model',
    width: '1fr',
    on_phone: false,
    render: ({ product_id }) => <span className="soft">{modelName(product_id)}</span>,
  },
  {
    title: 'Serial number',
    width: '1fr',
    on_phone: false,
    render: ({ hardware_id }) => <span className="mono soft">{hardware_id ?? 'virtual'}</span>,
  },
  {
    title: 'Power',
    width: '110px',
    on_phone: false,
    render: ({ status }) => <span className="soft two-lines">{powerWords(status)}</span>,
  },
]

const shows = {
  all: t('All'),
  online: t('Online'),
  offline: t('Offline'),
  deleted: t('Deleted', 'devices'),
} as const
const titles: Record<string, string> & { readonly all: string } = {
  all: t('No devices yet'),
  online: t('No devices online'),
  offline: t('No devices offline'),
  deleted: t('No deleted devices'),
}
const filters: Record<string, QueryOf<'devices'>> = {
  all: {},
  online: { 'status.online': true },
  offline: { 'status.online': false },
  deleted: { is_deleted: true },
}

export function DeviceList() {
  const [params, setParams] = useSearchParams()
  const show = params.get('show') ?? 'all'
  return (
    <ListPage
      title="Devices"
      plural="devices"
      columns={columns}
      query={{ ...filters[show], sort: 'name:asc', expand: ['site'] } as QueryOf<'devices'>}
      href={({ id }) => `/devices/${id}`}
      filters={
        <SegmentedControl
          size="xs"
          aria-label="Show devices"
          value={show}
          onChange={value => setParams(value === 'all' ? {} : { show: value })}
          data={Object.entries(shows).map(([value, label]) => ({ value, label }))}
        />
      }
      adding={{
        label: 'New device',
        first: show === 'all' ? 'Add your first device' : undefined,
        dialog: close => <ClaimDevice onClose={close} />,
      }}
      empty={{
        icon: <IconCpu />,
        title: titles[show] ?? titles.all,
        about:
          show === 'all'
            ? 'Add a device by the serial number on its label, or add a virtual one to try things out.'
            : undefined,
      }}
    />
  )
}

const isDriving = ({ capabilities }: (typeof catalogue)[number]) => capabilities.gadgets !== 'none'
const optionOf = ({ id, name }: (typeof catalogue)[number]) => ({ value: id, label: name })

/** Lists models that drive doors first, because users look for those most often. */
const models = [
  { group: 'Control doors', items: catalogue.filter(isDriving).map(optionOf) },
  {
    group: 'Connect other devices or read credentials',
    items: catalogue.filter(model => !isDriving(model)).map(optionOf),
  },
]

/** What most add. */
const usual = 'controller'

interface Values {
  readonly name: string
  readonly site_id: string | null
  readonly product_id: string | null
  readonly hardware_id: string | null
}

function ClaimDevice({ onClose }: { onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const [params] = useSearchParams()
  const draft = useDraft<Values>(
    { name: '', site_id: params.get('site'), product_id: usual, hardware_id: null },
    async values => {
      const { name, site_id, product_id, hardware_id } = values
      const { id } = await client.devices.create({
        name,
        site_id: site_id ?? '',
        product_id: product_id ?? '',
        ...(hardware_id && { hardware_id }),
      })
      refresh('devices', 'gadgets')
      go(`/devices/${id}`, { replace: true })
    },
  )
  return (
    <FormModal title="New device" opened onClose={onClose} draft={draft} action="Add device">
      <DeclaredField
        kind="device"
        name="name"
        label="Name"
        draft={draft}
        description=""
        autoFocus
        placeholder="Lobby controller"
      />
      <Pick
        plural="sites"
        label="Site"
        required
        shows_few
        value={draft.values.site_id}
        onChange={id => draft.set('site_id', id)}
        error={draft.errorOf('site_id')}
      />
      <SearchSelect
        label="Model"
        required
        value={draft.values.product_id}
        onChange={id => draft.set('product_id', id)}
        error={draft.errorOf('product_id')}
        data={models}
        renderOption={({ option }) => (
          <span>
            {option.label}
            <span className="devices-model">{modelWords(option.value)}</span>
          </span>
        )}
      />
      <DeclaredField
        kind="device"
        name="hardware_id"
        label="Serial number"
        draft={draft}
        description="As printed on its label (hw_…). Leave empty for a virtual device."
      />
    </FormModal>
  )
}
