import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { Browsers } from './browsers.tsx'
import { Preferences } from './preferences.tsx'
import { ThisBrowser } from './this-browser.tsx'
import { useSubscriptions } from './use-push.ts'

/** How the signed-in user is told of alarms. The same in every organization. */
export function Screen() {
  const { data, error, refetch } = useSubscriptions()
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return (
    <Page title="Your notifications" narrow>
      <div className="stack">
        <ThisBrowser subscriptions={data} />
        <Browsers all={data.data} />
        <Preferences />
      </div>
    </Page>
  )
}
