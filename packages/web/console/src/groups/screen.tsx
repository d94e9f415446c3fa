import { Route, Switch } from 'wouter'
import '../events/events.css'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { GroupDetail } from './detail.tsx'
import { GroupList } from './list.tsx'
import { WhoCan } from './who.tsx'
import './groups.css'

export function Screen() {
  return (
    <Switch>
      <Route path="/groups" component={GroupList} />
      <Route path="/groups/who" component={WhoCan} />
      <Route path="/groups/:id" component={GroupDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
