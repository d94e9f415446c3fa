import { Alert } from '@mantine/core'
import { useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Name, NameLink } from '../parts/name.tsx'
import { Page } from '../parts/page.tsx'
import { About } from './about.tsx'
import { type Alarm, alarmExpands, alarmName, subjectOf } from './alarm.ts'
import { alarmTitles } from './alarm-words.ts'
import { Around } from './around.tsx'
import { DetailActions } from './detail-actions.tsx'
import { Explained } from './explained.tsx'
import { History } from './history.tsx'
import { AlarmMarks, SeverityBadge, StateBadge } from './marks.tsx'
import { Note } from './note.tsx'
import { Runbook } from './runbook.tsx'
import { Timing } from './timing.tsx'
import './alarms.css'

export function AlarmDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'alarms', Alarm>('alarms', id, alarmExpands)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown alarm={data} />
}

/** One alarm: what to do about it first, then what happened around it and to it. */
function Shown({ alarm }: { alarm: Alarm }) {
  const subject = subjectOf(alarm)
  const { cause_alarm: cause } = alarm
  return (
    <Page
      title={alarmTitles[alarm.type]}
      trail={[[t('Alarms'), '/alarms']]}
      subtitle={
        <>
          <div className="alarm-subtitle">
            {subject.path ? (
              <NameLink href={subject.path}>{subject.name}</NameLink>
            ) : (
              <Name>{subject.name}</Name>
            )}
            <Timing alarm={alarm} />
          </div>
          <div className="alarm-state">
            <SeverityBadge severity={alarm.severity} />
            <StateBadge alarm={alarm} />
            <AlarmMarks alarm={alarm} />
          </div>
        </>
      }
      actions={<DetailActions alarm={alarm} />}
    >
      {cause && (
        <Alert color="gray" className="alarm-cause">
          Explained by <NameLink href={`/alarms/${cause.id}`}>{alarmName(cause)}</NameLink>. Nobody is told of
          it unless it goes on after that.
        </Alert>
      )}
      <div className="columns">
        <div className="stack">
          <Runbook alarm={alarm} />
          <Around alarm={alarm} />
          <Explained alarm={alarm} />
        </div>
        <div className="stack">
          <Note key={alarm.note} alarm={alarm} />
          <History alarm={alarm} />
          <About alarm={alarm} />
        </div>
      </div>
    </Page>
  )
}
