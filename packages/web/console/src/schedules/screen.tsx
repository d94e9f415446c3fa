import { Route, Switch } from 'wouter'
import { ScheduleDetail } from './detail.tsx'
import { ScheduleList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/schedules" component={ScheduleList} />
      <Route path="/schedules/:id" component={ScheduleDetail} />
    </Switch>
  )
}
