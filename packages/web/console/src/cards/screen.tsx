import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { CardDetail } from './detail.tsx'
import { CardList } from './list.tsx'
import './cards.css'

export function Screen() {
  return (
    <Switch>
      <Route path="/cards" component={CardList} />
      <Route path="/cards/:id" component={CardDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
