import { Badge, Button, Group, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useParams } from 'wouter'
import { lossesOf, stops } from '../access/losses.ts'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { useDraft } from '../form/draft.ts'
import { forgetDraft, keptDraft, useIsCurrent, useKeptDraft } from '../form/keep-draft.ts'
import { scheduleWords } from '../groups/rule.ts'
import { t } from '../language/t.ts'
import { capital } from '../parts/capital.ts'
import { Failure } from '../parts/failure.tsx'
import { History } from '../parts/history.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Page, Section } from '../parts/page.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { is_touch } from '../parts/touch.ts'
import { useApi } from '../session/use-api.ts'
import { AtSite } from './at-site.tsx'
import { ExactTimes, hasWrongTimes, type TypedDays } from './exact-times.tsx'
import { changesOf, type Schedule, type ScheduleValues, toValues } from './schedule.ts'
import { WeekGrid } from './week-grid.tsx'
import './schedules.css'

/** Says who loses what if the schedule is deleted. */
async function findLosses(
  client: ReturnType<typeof useApi>['client'],
  id: string,
): Promise<readonly string[]> {
  const counted = { limit: 1, with_count: true } as const
  const [uses, unlocking, triggers] = await Promise.all([
    client.schedules.uses(id),
    client.unlock_rules.list({ schedule_id: id, ...counted }),
    client.gadget_triggers.list({ source_schedule_id: id, ...counted }),
  ])
  return [
    ...lossesOf(uses),
    ...stops(unlocking.count ?? 0, [t('unlock rule'), t('unlock rules')]),
    ...stops(triggers.count ?? 0, [t('trigger'), t('triggers')]),
  ]
}

export function ScheduleDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch, dataUpdatedAt } = useObject('schedules', id)
  const is_current = useIsCurrent(id, { dataUpdatedAt, refetch })
  if (!data || !is_current) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown key={data.id} schedule={data} />
}

function Shown({ schedule }: { schedule: Schedule }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  const initial = toValues(schedule)
  const draft = useDraft<ScheduleValues>(
    initial,
    async values => {
      await client.schedules.edit(schedule.id, changesOf(values, draft.base))
      forgetDraft(schedule.id)
      refresh('schedules', 'days')
    },
    undefined,
    keptDraft(schedule.id, initial),
  )
  useKeptDraft(schedule.id, draft)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what somebody else has saved replaces the values
  useEffect(() => {
    if (!draft.is_dirty) draft.reset(initial)
  }, [schedule])
  const [typed, setTyped] = useState<TypedDays>({})
  const { name, weekdays } = draft.values
  const is_wrong = hasWrongTimes(weekdays, typed)
  const discard = () => {
    draft.reset()
    setTyped({})
  }
  const removal = {
    id: schedule.id,
    name: schedule.name,
    plurals: ['schedules'],
    remove: () => {
      forgetDraft(schedule.id)
      return client.schedules.delete(schedule.id)
    },
    restore: () => client.schedules.edit(schedule.id, { is_deleted: false }),
  }
  return (
    <Page
      title={schedule.name}
      trail={[[t('Schedules'), '/schedules']]}
      badge={schedule.is_deleted && <Badge color="red">Deleted</Badge>}
      subtitle={capital(scheduleWords(weekdays))}
      actions={
        may_write && (
          <>
            <RemoveButton
              removal={removal}
              back="/schedules"
              is_deleted={schedule.is_deleted}
              losses={() => findLosses(client, schedule.id)}
            />
            {(draft.is_dirty || is_wrong) && (
              <Button variant="default" onClick={discard}>
                Discard
              </Button>
            )}
            <Button
              disabled={!draft.is_dirty || is_wrong}
              loading={draft.is_saving}
              onClick={() => void draft.submit()}
            >
              Save
            </Button>
          </>
        )
      }
    >
      <Section
        title="Week"
        about={
          is_touch
            ? 'Drag to select times. Times are in each site’s local time.'
            : 'Drag to select times, or use the arrow keys, Space and Shift. Times are in each site’s local time.'
        }
        actions={
          may_write && (
            <Group gap="xs">
              <Button
                size="compact-sm"
                variant="subtle"
                onClick={() =>
                  draft.set(
                    'weekdays',
                    weekdays.map(() => ({ ranges: [{ start: 0, end: 86_400 }] })),
                  )
                }
              >
                Always
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                onClick={() =>
                  draft.set(
                    'weekdays',
                    weekdays.map(() => ({ ranges: [] })),
                  )
                }
              >
                Clear
              </Button>
            </Group>
          )
        }
      >
        <WeekGrid weekdays={weekdays} onChange={next => draft.set('weekdays', next)} readOnly={!may_write} />
        {may_write && (
          <TextInput
            mt="md"
            maw={360}
            label="Name"
            maxLength={255}
            value={name}
            error={draft.errorOf('name')}
            onChange={event => draft.set('name', event.currentTarget.value)}
          />
        )}
      </Section>
      <AtSite schedule_id={schedule.id} draft={draft} may_write={may_write}>
        {may_write && (
          <Section
            title="Exact times"
            about="For example 08:00-12:30, 13:15-18:00. Leave a day empty for closed; 24:00 is midnight at its end. Seconds are allowed."
          >
            <ExactTimes
              weekdays={weekdays}
              onChange={next => draft.set('weekdays', next)}
              typed={typed}
              onType={setTyped}
            />
          </Section>
        )}
      </AtSite>
      <History plural="schedules" id={schedule.id} name={schedule.name} />
    </Page>
  )
}
