import { Route, Switch } from 'wouter'
import { TriggerDetail } from './detail.tsx'
import { TriggerList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/triggers" component={TriggerList} />
      <Route path="/triggers/:id" component={TriggerDetail} />
    </Switch>
  )
}
