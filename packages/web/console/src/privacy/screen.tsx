import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Route, Switch } from 'wouter'
import { keyOf } from '../data/collections.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { Page, Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { ErasureDetail, Erasures } from './erasures.tsx'
import { Holds } from './holds.tsx'
import { Pending } from './pending.tsx'
import { PeriodsForm } from './periods-form.tsx'
import { PrivacyRecord } from './record.tsx'

export function Screen() {
  return (
    <Switch>
      <Route path="/privacy" component={Privacy} />
      <Route path="/privacy/record" component={PrivacyRecord} />
      <Route path="/privacy/erasures/:id" component={ErasureDetail} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}

function Privacy() {
  const { client, organization } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'organizations', 'own'),
    queryFn: () => client.organization.get(),
  })
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  const is_owner = organization.role === 'owner'
  return (
    <Page title="Privacy" narrow>
      <div className="stack">
        <Section
          title="How long data is kept"
          about={is_owner ? 'A shorter time takes effect after 24 hours' : 'Owners can change this'}
        >
          {data.privacy_pending && (
            <Pending pending={data.privacy_pending} privacy={data.privacy} is_owner={is_owner} />
          )}
          <PeriodsForm key={JSON.stringify(data.privacy)} privacy={data.privacy} is_owner={is_owner} />
        </Section>
        <Section
          title="Record of processing"
          about="Which personal data is stored and why, who gets it, and for how long"
        >
          <Anchor component={Link} href="/privacy/record" size="sm">
            Show the record, ready to print
          </Anchor>
        </Section>
        <Holds is_owner={is_owner} />
        <Erasures />
      </div>
    </Page>
  )
}
