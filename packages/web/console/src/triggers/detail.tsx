import { Badge, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { IconPencil } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { inZone, momentAt } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { NameLink } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RecentEvents } from '../parts/recent-events.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import { EditTrigger } from './edit-trigger.tsx'
import { triggerLossesOf } from './losses.ts'
import { type Trigger, triggerExpands } from './trigger.ts'
import { TriggerWords } from './trigger-words.tsx'

export function TriggerDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'gadget_triggers', Trigger>(
    'gadget_triggers',
    id,
    triggerExpands,
  )
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown trigger={data} />
}

function Shown({ trigger }: { trigger: Trigger }) {
  const { client, may_write, sees_people } = useApi()
  const [is_editing, editing] = useDisclosure(false)
  const { data: zone } = useZone(trigger.site_id)
  const removal = {
    id: trigger.id,
    name: t('Trigger'),
    is_phrase: true,
    plurals: ['gadget_triggers'],
    remove: () => client.gadget_triggers.delete(trigger.id),
    restore: () => client.gadget_triggers.edit(trigger.id, { is_deleted: false }),
  }
  return (
    <Page
      title="Trigger"
      trail={[[t('Triggers'), '/triggers']]}
      badge={trigger.is_deleted && <Badge color="red">Deleted</Badge>}
      actions={
        may_write && (
          <>
            <RemoveButton
              removal={removal}
              back="/triggers"
              is_deleted={trigger.is_deleted}
              losses={async () => triggerLossesOf(trigger)}
            />
            {!trigger.is_deleted && (
              <Button variant="default" leftSection={<IconPencil size={14} />} onClick={editing.open}>
                Edit
              </Button>
            )}
          </>
        )
      }
    >
      <div className="columns">
        <div className="stack">
          <Section title="Rule">
            <TriggerWords trigger={trigger} linked />
          </Section>
          <Section title="About">
            <Facts
              facts={[
                [
                  t('Site'),
                  <NameLink key="site" href={`/sites/${trigger.site_id}`}>
                    {trigger.site?.name}
                  </NameLink>,
                ],
                [t('Created'), inZone(momentAt(trigger.created_at, zone), zone)],
                [
                  'ID',
                  <span key="id" className="mono">
                    {trigger.id}
                  </span>,
                ],
              ]}
            />
          </Section>
        </div>
        {sees_people && (
          <RecentEvents
            filter="object.gadget_trigger_id"
            id={trigger.id}
            nothing="This trigger has not run yet."
          />
        )}
      </div>
      {is_editing && <EditTrigger trigger={trigger} onClose={editing.close} />}
    </Page>
  )
}
