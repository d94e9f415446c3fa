import { Route, Switch } from 'wouter'
import { RulesPage } from '../alarm-rules/page.tsx'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { AlarmDetail } from './detail.tsx'
import { AlarmList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/alarms" component={AlarmList} />
      <Route path="/alarms/rules/:id?" component={RulesPage} />
      <Route path="/alarms/:id" component={AlarmDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
