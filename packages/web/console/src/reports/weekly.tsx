import { Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useAccount, useAccountRefresh } from '../data/use-account.ts'
import { t } from '../language/t.ts'
import { momentsIn } from '../parts/door-time.ts'
import { Failure, showFailure } from '../parts/failure.tsx'
import { browserZone } from '../parts/format-time.ts'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'

interface Wish {
  readonly is_on: boolean
  readonly next_at: string | null
}

/** Lets the user get the report of the last week by mail. */
export function WeeklyReport() {
  const { account, organization, session } = useApi()
  const path = `/organizations/${organization.id}/weekly_report`
  const { data, error, refetch } = useAccount<Wish>(path)
  const refresh = useAccountRefresh()
  const change = useMutation({
    mutationFn: (is_on: boolean) => account<Wish>('PATCH', path, { is_on, zone: browserZone }),
    onError: failure => showFailure(failure, t('Could not change this')),
    onSettled: () => refresh(path),
  })
  if (error) return <Failure error={error} retry={refetch} />
  const is_on = change.isPending ? change.variables : (data?.is_on ?? false)
  return (
    <div className="report-controls">
      <Section title="By mail" about={`Only to you, ${session.user.email}`}>
        <Switch
          label="Mail me the last week every Monday at 07:00"
          description={
            data?.next_at ? `The next one: ${momentsIn(data.next_at, [browserZone])[0]}` : undefined
          }
          checked={is_on}
          disabled={!data || change.isPending}
          onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
        />
      </Section>
    </div>
  )
}
