import { Badge, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { useNames } from '../emergencies/use-names.ts'
import { IconPencil } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { NameLink } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RecentEvents } from '../parts/recent-events.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { secondsWords } from '../parts/units.ts'
import { useApi } from '../session/use-api.ts'
import { EditUnlockRule } from './edit-unlock-rule.tsx'
import { unlockLossesOf } from './losses.ts'
import { beforeWords, ruleExpands, type UnlockRule } from './unlock-rule.ts'
import { UnlockedWeek } from './unlocked-week.tsx'
import './unlock-rules.css'

export function UnlockRuleDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'unlock_rules', UnlockRule>('unlock_rules', id, ruleExpands)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown rule={data} />
}

function Shown({ rule }: { rule: UnlockRule }) {
  const { client, may_write } = useApi()
  const [is_editing, editing] = useDisclosure(false)
  const removal = {
    id: rule.id,
    name: rule.name,
    plurals: ['unlock_rules', 'gadgets', 'modes'],
    remove: () => client.unlock_rules.delete(rule.id),
    restore: () => client.unlock_rules.edit(rule.id, { is_deleted: false }),
  }
  return (
    <Page
      title={rule.name}
      trail={[[t('Unlock rules'), '/unlock-rules']]}
      badge={
        rule.is_deleted ? (
          <Badge color="red">{t('Deleted', 'rule')}</Badge>
        ) : (
          !rule.is_enabled && <Badge color="gray">Off</Badge>
        )
      }
      actions={
        may_write && (
          <>
            <RemoveButton
              removal={removal}
              back="/unlock-rules"
              is_deleted={rule.is_deleted}
              losses={async () => unlockLossesOf(rule)}
            />
            {!rule.is_deleted && (
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
          <UnlockedWeek rule={rule} />
          <Section title="Doors">
            <ul className="unlock-doors">
              {rule.gadgets?.map(({ id, name }) => (
                <li key={id}>
                  <NameLink href={`/gadgets/${id}`}>{name}</NameLink>
                </li>
              ))}
            </ul>
          </Section>
          <FirstPerson rule={rule} />
        </div>
        <div className="stack">
          <Section title="About">
            <Facts
              facts={[
                [
                  t('Site'),
                  <NameLink key="site" href={`/sites/${rule.site_id}`}>
                    {rule.site?.name}
                  </NameLink>,
                ],
                [
                  t('Schedule'),
                  <NameLink key="schedule" href={`/schedules/${rule.schedule_id}?site=${rule.site_id}`}>
                    {rule.schedule?.name}
                  </NameLink>,
                ],
                [
                  'ID',
                  <span key="id" className="mono">
                    {rule.id}
                  </span>,
                ],
              ]}
            />
          </Section>
          <RecentEvents filter="object.unlock_rule_id" id={rule.id} nothing="No activity yet." />
        </div>
      </div>
      {is_editing && <EditUnlockRule rule={rule} onClose={editing.close} />}
    </Page>
  )
}

function FirstPerson({ rule }: { rule: UnlockRule }) {
  const { first_person: first, last_person_signal: last } = rule
  const groups = useNames('member_groups', first?.member_group_ids ?? [])
  const { data: gadget } = useObject('gadgets', last?.gadget_id)
  const signal = gadget?.signals.find(({ id }) => id === last?.signal_id)
  return (
    <Section title="First and last person">
      <Facts
        facts={[
          [
            t('Waits for'),
            first ? <bdi key="groups">{`Somebody of ${groups}`}</bdi> : t('Nobody: by the clock'),
          ],
          ...(first
            ? ([
                [t('Early by'), first.early_seconds ? secondsWords(first.early_seconds) : t('Not at all')],
                [t('Until then'), beforeWords[first.before]],
              ] as const)
            : []),
          [
            t('Last person'),
            last ? (
              <bdi key="last">{`${signal?.name ?? last.signal_id} of ${gadget?.name ?? '…'}`}</bdi>
            ) : (
              '–'
            ),
          ],
        ]}
      />
    </Section>
  )
}
