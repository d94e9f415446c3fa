import { type Installation, listInstallations } from '@gatehouse-access/server'
import { CommandError } from './command.ts'
import type { Instance } from './instance.ts'

/** Returns the requested application of an organization, or the first that it installed. */
export async function chooseInstallation(
  { db }: Instance,
  organization: string,
  application: string | undefined,
): Promise<Installation> {
  const installed = (await listInstallations(db)).filter(
    ({ organization_id }) => organization_id === organization,
  )
  const found = application
    ? installed.find(({ oauth_application_id }) => oauth_application_id === application)
    : installed[0]
  if (found) return found
  const what = application ? `the application ${application}` : 'any application'
  throw new CommandError(
    `Organization ${organization} has not installed ${what}: gatehouse applications lists them.`,
  )
}
