import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { TriggerDetail } from './detail.tsx'
import { TriggerList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/triggers" component={TriggerList} />
      <Route path="/triggers/:id" component={TriggerDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
