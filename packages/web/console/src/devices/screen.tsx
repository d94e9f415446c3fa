import { Route, Switch } from 'wouter'
import { DeviceDetail } from './detail.tsx'
import { DeviceList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/devices" component={DeviceList} />
      <Route path="/devices/:id" component={DeviceDetail} />
    </Switch>
  )
}
