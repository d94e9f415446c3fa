import { Suspense, useEffect, useMemo } from 'react'
import { Redirect, Route, Router, Switch, useParams } from 'wouter'
import { LiveProvider } from '../live/live.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { ScreenBoundary } from '../parts/screen-boundary.tsx'
import { screensOf } from '../screens.tsx'
import { useSession } from '../session/gate.tsx'
import { ApiContext, createApi } from '../session/use-api.ts'
import { DeletedOrganization } from '../welcome/deleted-organization.tsx'
import { rememberOrganization } from '../welcome/last-organization.ts'
import { NotYours } from '../welcome/not-yours.tsx'
import { Refused } from '../welcome/refused.tsx'
import { Shell } from './shell.tsx'

/** Handles everything below `/o/<organization>`. Links inside are relative to it. */
export function OrganizationRoutes() {
  const { organization_id = '' } = useParams<{ organization_id: string }>()
  const session = useSession()
  const known = session.organizations.find(({ id }) => id === organization_id)
  const organization = known?.due_at === null ? known : undefined
  useEffect(() => {
    if (organization) rememberOrganization(organization.id)
  }, [organization])
  const screens = useMemo(() => screensOf(organization?.role ?? 'viewer'), [organization?.role])
  const api = useMemo(
    () =>
      organization &&
      createApi(
        session,
        organization,
        screens.map(({ path }) => path),
      ),
    [session, organization, screens],
  )
  const first = screens[0]?.path ?? '/'
  if (!api) return known ? <DeletedOrganization organization={known} /> : <NotYours />
  if (organization?.refusal) return <Refused organization={organization} refusal={organization.refusal} />
  return (
    <ApiContext value={api} key={organization_id}>
      <LiveProvider>
        <Router base={`/o/${organization_id}`}>
          <Shell>
            <Suspense fallback={<LoadingPage />}>
              <Switch>
                {screens.map(({ path, may_write, component: Screen }) => (
                  <Route key={path} path={path === '/' ? '/' : `${path}/*?`}>
                    <ScreenBoundary key={path}>
                      <ApiContext value={may_write === api.may_write ? api : { ...api, may_write }}>
                        <Screen />
                      </ApiContext>
                    </ScreenBoundary>
                  </Route>
                ))}
                {first !== '/' && (
                  <Route path="/">
                    <Redirect to={first} replace />
                  </Route>
                )}
                <Route component={NoSuchPage} />
              </Switch>
            </Suspense>
          </Shell>
        </Router>
      </LiveProvider>
    </ApiContext>
  )
}
