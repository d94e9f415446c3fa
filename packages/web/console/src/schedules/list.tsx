import { useLocation } from 'wouter'
import type { ItemOf } from '../data/collections.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { scheduleWords, specialWords } from '../groups/rule.ts'
import { IconCalendarTime } from '../icons/icons.ts'
import { capital } from '../parts/capital.ts'
import { ListPage } from '../parts/list-page.tsx'
import { Name } from '../parts/name.tsx'
import type { Column } from '../parts/rows.tsx'
import { useApi } from '../session/use-api.ts'

const columns: readonly Column<ItemOf<'schedules'>>[] = [
  { title: 'Name', width: '1fr', render: ({ name }) => <Name>{name}</Name> },
  {
    title: 'Times',
    width: '2fr',
    render: ({ weekdays, special_days }) => {
      const text = [scheduleWords(weekdays), specialWords(special_days)].filter(Boolean).join(', ')
      return (
        <span className="soft two-lines" title={capital(text)}>
          {capital(text)}
        </span>
      )
    },
  },
]

export function ScheduleList() {
  return (
    <ListPage
      title="Schedules"
      plural="schedules"
      columns={columns}
      query={{ sort: 'name:asc' }}
      href={({ id }) => `/schedules/${id}`}
      deleted={{ label: 'Show schedules', title: 'No deleted schedules' }}
      adding={{
        label: 'New schedule',
        first: 'Create your first schedule',
        dialog: close => <NewSchedule onClose={close} />,
      }}
      empty={{
        icon: <IconCalendarTime />,
        title: 'No schedules yet',
        about: 'A schedule defines the times of the week when a rule applies, in the site’s local time.',
      }}
    />
  )
}

const workweek = Array.from({ length: 7 }, (_, day) => ({
  ranges: day < 5 ? [{ start: 28_800, end: 64_800 }] : [],
}))

function NewSchedule({ onClose }: { onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const draft = useDraft({ name: '' }, async ({ name }) => {
    const { id } = await client.schedules.create({ name, weekdays: workweek })
    refresh('schedules')
    go(`/schedules/${id}`, { replace: true })
  })
  return (
    <FormModal title="New schedule" opened onClose={onClose} draft={draft} action="Create schedule">
      <DeclaredField
        kind="schedule"
        name="name"
        label="Name"
        draft={draft}
        description="Starts as Monday to Friday, 08:00 to 18:00. You set the times next."
        autoFocus
      />
    </FormModal>
  )
}
