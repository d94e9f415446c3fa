import type { UserOrganization } from '../../services/organizations/user-organizations.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { chooseOrganizationPage } from './choose-organization.ts'
import { consentPage } from './consent.ts'
import type { Page } from './layout.ts'
import type { Visit } from './visit.ts'

/** Asks for the organization (unless there is only one), then for consent. */
export function askPage(
  visit: Visit,
  asked: AuthorizationRequest,
  organization_id: string | undefined,
): Page {
  const chosen = findChosen(asked, organization_id)
  return chosen ? consentPage(visit, asked, chosen) : chooseOrganizationPage(visit, asked)
}

function findChosen(
  { organizations }: AuthorizationRequest,
  id: string | undefined,
): UserOrganization | undefined {
  const only = organizations.length === 1 ? organizations[0] : undefined
  return id ? organizations.find(organization => organization.id === id) : only
}
