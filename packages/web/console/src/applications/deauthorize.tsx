import { useAccountRefresh } from '../data/use-account.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Name } from '../parts/name.tsx'
import { useApi } from '../session/use-api.ts'
import type { InstalledApplication } from './installed-application.ts'

interface Props {
  readonly application: InstalledApplication
  readonly onClose: () => void
}

export function Deauthorize({ application: { oauth_application_id, name }, onClose }: Props) {
  const { account, organization } = useApi()
  const refresh = useAccountRefresh()
  const path = `/organizations/${organization.id}/installations`
  return (
    <Confirm
      title="De-authorize the application"
      action="De-authorize"
      failed="The application is still allowed"
      onClose={onClose}
      onConfirm={async () => {
        await account('DELETE', `${path}/${oauth_application_id}`)
        await refresh(path)
      }}
    >
      <Name>{name}</Name> can do nothing here any more:
      <ul>
        <li>its tokens stop working at once,</li>
        <li>its webhooks are deleted and what was waiting is not sent,</li>
        <li>what it made (members, PINs, links) stays and goes on working.</li>
      </ul>
      To connect it again, begin at the application; you will be asked to allow it.
    </Confirm>
  )
}
