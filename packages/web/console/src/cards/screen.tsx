import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { CardDetail } from './detail.tsx'
import { CardList } from './list.tsx'
import './cards.css'

const ImportScreen = lazy(async () => ({
  default: (await import('../imports/import-screen.tsx')).ImportScreen,
}))

export function Screen() {
  return (
    <Switch>
      <Route path="/cards" component={CardList} />
      <Route path="/cards/import">
        <ImportScreen kind="cards" />
      </Route>
      <Route path="/cards/:id" component={CardDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
