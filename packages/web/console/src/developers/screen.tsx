import { Route, Switch } from 'wouter'
import { NoSuchPage } from '../parts/no-such-page.tsx'
import { ApplicationPage } from './applications/application.tsx'
import { ApplicationList } from './applications/applications.tsx'
import './developers.css'
import { InstallationPage } from './applications/installation.tsx'
import { VirtualDevices } from './devices/virtual-devices.tsx'
import { Explorer } from './explorer/explorer.tsx'
import { ApiKeys } from './keys/keys.tsx'
import { TestOrganizations } from './test-organizations.tsx'
import { WebhookPage } from './webhooks/webhook.tsx'

const application = '/developers/applications/:application_id'
const installation = `${application}/organizations/:organization_id`

export function Screen() {
  return (
    <Switch>
      <Route path="/developers/explorer" component={Explorer} />
      <Route path="/developers/keys" component={ApiKeys} />
      <Route path="/developers/devices" component={VirtualDevices} />
      <Route path="/developers/organizations" component={TestOrganizations} />
      <Route path={`${installation}/webhooks/:webhook_id`}>{ids => <WebhookPage {...ids} />}</Route>
      <Route path={installation}>{ids => <InstallationPage {...ids} />}</Route>
      <Route path={application}>{({ application_id }) => <ApplicationPage id={application_id} />}</Route>
      <Route path="/developers" component={ApplicationList} />
      <Route component={NoSuchPage} />
    </Switch>
  )
}
