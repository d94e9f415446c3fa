import { Badge, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useParams, useSearchParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { IconPencil, IconUpload } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import type { Calendar } from './calendar.ts'
import { Days } from './days.tsx'
import { EditCalendar } from './edit-calendar.tsx'
import { ImportFile } from './import-file.tsx'
import { calendarLossesOf } from './losses.ts'
import { Observers } from './observers.tsx'
import { Source } from './source.tsx'
import { SourceStatus } from './source-status.tsx'
import './calendars.css'

export function CalendarDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject('calendars', id)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown key={data.id} calendar={data} />
}

function Shown({ calendar }: { calendar: Calendar }) {
  const { may_write } = useApi()
  const [params, setParams] = useSearchParams()
  const [is_editing, editing] = useDisclosure(false)
  const can_write = may_write && !calendar.is_deleted
  const is_importing = can_write && params.has('import')
  return (
    <Page
      title={calendar.name}
      trail={[[t('Calendars'), '/calendars']]}
      badge={calendar.is_deleted && <Badge color="red">Deleted</Badge>}
      subtitle={<Source source={calendar.source} />}
      actions={
        may_write && (
          <>
            <Remove calendar={calendar} />
            {can_write && (
              <Button variant="default" leftSection={<IconPencil size={14} />} onClick={editing.open}>
                Edit
              </Button>
            )}
            {can_write && !calendar.source && (
              <Button
                variant="default"
                leftSection={<IconUpload size={14} />}
                onClick={() => setParams({ import: '' })}
              >
                Import file
              </Button>
            )}
          </>
        )
      }
    >
      <div className="stack">
        {calendar.source && <SourceStatus calendar={calendar} may_write={can_write} />}
        <div className="columns">
          <Days calendar={calendar} may_write={can_write} />
          <div className="stack">
            <Observers calendar={calendar} />
            <Section title="About">
              <Facts
                facts={[
                  [t('Days'), <Source key="source" source={calendar.source} />],
                  [t('Created'), <OwnTime key="made" at={calendar.created_at} />],
                  [
                    'ID',
                    <span key="id" className="mono">
                      {calendar.id}
                    </span>,
                  ],
                ]}
              />
            </Section>
          </div>
        </div>
      </div>
      {is_editing && <EditCalendar calendar={calendar} onClose={editing.close} />}
      {is_importing && <ImportFile calendar={calendar} onClose={() => setParams({}, { replace: true })} />}
    </Page>
  )
}

const touched = ['calendars', 'sites', 'days']

function Remove({ calendar: { id, name, is_deleted } }: { calendar: Calendar }) {
  const { client } = useApi()
  const removal = {
    id,
    name,
    plurals: touched,
    remove: () => client.calendars.delete(id),
    restore: () => client.calendars.edit(id, { is_deleted: false }),
  }
  return (
    <RemoveButton
      removal={removal}
      back="/calendars"
      is_deleted={is_deleted}
      losses={() => calendarLossesOf(client, id)}
    />
  )
}
