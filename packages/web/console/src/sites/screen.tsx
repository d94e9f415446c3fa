import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { SiteDetail } from './detail.tsx'
import { SiteList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/sites" component={SiteList} />
      <Route path="/sites/:id" component={SiteDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
