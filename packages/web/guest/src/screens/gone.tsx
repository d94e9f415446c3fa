import { DoorIcon } from '../icons.tsx'
import type { Kept } from '../memory.ts'
import { say } from '../texts.ts'
import { here, when } from '../times.ts'
import { Contacts } from './contacts.tsx'

interface GoneProps {
  readonly kept: Kept | undefined
  /** When the stay ended, if that is the reason. */
  readonly ended_at: string | undefined
  onSignIn(): void
}

/** Shown when the stay is over or the access was revoked. Says which, and who to contact. */
export function Gone({ kept, ended_at, onSignIn }: GoneProps) {
  const site = kept?.home.sites[0]
  return (
    <main class="page still">
      <div class="emblem">
        <DoorIcon />
      </div>
      <h1>{say('gone_title')}</h1>
      <p class="lead" role="status">
        {ended_at
          ? say('stay_ended', { when: when(ended_at, site ?? here) })
          : say('gone_text', { organization: kept?.home.organization.name ?? say('host') })}
      </p>
      {site && <Contacts site={site} />}
      <button type="button" class="plain" onClick={onSignIn}>
        {say('sign_in')}
      </button>
    </main>
  )
}
