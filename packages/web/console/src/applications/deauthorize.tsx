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
      title="Revoke access"
      action="Revoke access"
      failed="Could not revoke access"
      onClose={onClose}
      onConfirm={async () => {
        await account('DELETE', `${path}/${oauth_application_id}`)
        await refresh(path)
      }}
    >
      <Name>{name}</Name> loses all access to this organization:
      <ul>
        <li>Its tokens stop working immediately.</li>
        <li>Its webhooks are deleted, and pending deliveries are not sent.</li>
        <li>Everything it created (members, PINs, links) stays and keeps working.</li>
      </ul>
      To connect it again, start from the application. You will be asked for permission again.
    </Confirm>
  )
}
