import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { EventDetail } from './detail.tsx'
import { EventList } from './list.tsx'
import './events.css'

export function Screen() {
  return (
    <Switch>
      <Route path="/events" component={EventList} />
      <Route path="/events/:id" component={EventDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
