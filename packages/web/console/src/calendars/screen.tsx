import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { CalendarDetail } from './detail.tsx'
import { CalendarList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/calendars" component={CalendarList} />
      <Route path="/calendars/:id" component={CalendarDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
