import { DoorIcon } from '../icons.tsx'
import type { Kept } from '../memory.ts'
import { say } from '../texts.ts'
import { Contacts } from './contacts.tsx'

/** The access was taken back: says so, and whom to ask. */
export function Gone({ kept, onSignIn }: { kept: Kept | undefined; onSignIn(): void }) {
  const site = kept?.home.sites[0]
  return (
    <main class="page still">
      <div class="emblem">
        <DoorIcon />
      </div>
      <h1>{say('gone_title')}</h1>
      <p class="lead" role="status">
        {say('gone_text', { organization: kept?.home.organization.name ?? say('host') })}
      </p>
      {site && <Contacts site={site} />}
      <button type="button" class="plain" onClick={onSignIn}>
        {say('sign_in')}
      </button>
    </main>
  )
}
