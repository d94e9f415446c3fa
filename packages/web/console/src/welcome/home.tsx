import { Redirect } from 'wouter'
import { useSession } from '../session/gate.tsx'
import { lastOrganization } from './last-organization.ts'

export function Home() {
  const id = lastOrganization(useSession())
  return <Redirect to={id ? `/o/${id}` : '/welcome'} replace />
}
