import { Route, Switch } from 'wouter'
import { GadgetDetail } from './detail.tsx'
import { GadgetList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/gadgets" component={GadgetList} />
      <Route path="/gadgets/:id" component={GadgetDetail} />
    </Switch>
  )
}
