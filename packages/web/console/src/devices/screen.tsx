import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { DeviceDetail } from './detail.tsx'
import { DeviceList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/devices" component={DeviceList} />
      <Route path="/devices/:id" component={DeviceDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
