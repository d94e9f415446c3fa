import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { MemberList } from './list.tsx'

const MemberDetail = lazy(async () => ({ default: (await import('./detail.tsx')).MemberDetail }))
const ImportScreen = lazy(async () => ({
  default: (await import('../imports/import-screen.tsx')).ImportScreen,
}))

export function Screen() {
  return (
    <Switch>
      <Route path="/members" component={MemberList} />
      <Route path="/members/import">
        <ImportScreen kind="members" />
      </Route>
      <Route path="/members/:id" component={MemberDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
