import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { Reports } from './reports.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/reports" component={Reports} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
