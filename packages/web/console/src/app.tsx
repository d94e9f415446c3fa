import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { queryClient } from './data/query-client.ts'
import { t } from './language/t.ts'
import { Notices } from './parts/notices.tsx'
import { SessionGate } from './session/gate.tsx'
import { OrganizationRoutes } from './shell/organization-routes.tsx'
import { nonce } from './style/nonce.ts'
import { theme } from './theme.ts'
import { Home } from './welcome/home.tsx'

const Welcome = lazy(async () => ({ default: (await import('./welcome/welcome.tsx')).Welcome }))

/**
 * The page's content security policy allows only style elements that carry its nonce. Mantine's variables
 * need no style element: its style sheet defines them, and style/tokens.css overrides them.
 */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <SessionGate>
          <Switch>
            <Route path="/" component={Home} />
            <Route path="/welcome">
              <Suspense>
                <Welcome />
              </Suspense>
            </Route>
            <Route path="/o/:organization_id/*?" component={OrganizationRoutes} />
            <Route>
              <Redirect to="/" />
            </Route>
          </Switch>
        </SessionGate>
      </QueryClientProvider>
      {/* A landmark, since everything that people read on a page has to be in one. */}
      <section id="layers" aria-label={t('Menus and dialogs')}>
        <Notices />
      </section>
    </MantineProvider>
  )
}
