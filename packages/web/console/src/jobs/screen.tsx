import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { JobDetail } from './detail.tsx'
import { JobList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/jobs" component={JobList} />
      <Route path="/jobs/:id" component={JobDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
