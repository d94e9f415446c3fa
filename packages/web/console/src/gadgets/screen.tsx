import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { GadgetDetail } from './detail.tsx'
import { GadgetList } from './list.tsx'
import { DoorReview } from './review.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/gadgets" component={GadgetList} />
      <Route path="/gadgets/:id" component={GadgetDetail} />
      <Route path="/gadgets/:id/review" component={DoorReview} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
