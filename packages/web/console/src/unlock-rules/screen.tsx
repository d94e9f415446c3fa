import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { UnlockRuleDetail } from './detail.tsx'
import { UnlockRuleList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/unlock-rules" component={UnlockRuleList} />
      <Route path="/unlock-rules/:id" component={UnlockRuleDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
