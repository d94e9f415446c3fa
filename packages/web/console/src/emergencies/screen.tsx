import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { EmergencyDetail } from './detail.tsx'
import { EmergencyList } from './list.tsx'
import { PlanDetail } from './plan-detail.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/emergencies" component={EmergencyList} />
      <Route path="/emergencies/plans/:id" component={PlanDetail} />
      <Route path="/emergencies/:id" component={EmergencyDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
