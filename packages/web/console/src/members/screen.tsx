import { Route, Switch } from 'wouter'
import { MemberList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/members" component={MemberList} />
    </Switch>
  )
}
