import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { ScheduleDetail } from './detail.tsx'
import { ScheduleList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/schedules" component={ScheduleList} />
      <Route path="/schedules/:id" component={ScheduleDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
