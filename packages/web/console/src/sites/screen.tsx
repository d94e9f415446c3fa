import { Route, Switch } from 'wouter'
import { SiteDetail } from './detail.tsx'
import { SiteList } from './list.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/sites" component={SiteList} />
      <Route path="/sites/:id" component={SiteDetail} />
    </Switch>
  )
}
