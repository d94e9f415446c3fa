import { DoorIcon } from '../icons.tsx'
import type { Ended } from '../stay.ts'
import { say } from '../texts.ts'
import { here, when } from '../times.ts'
import { Contacts, Numbers } from './contacts.tsx'
import { HostName } from './host-name.tsx'

interface GoneProps {
  readonly ended: Ended
  onSignIn(): void
}

/** Shown when the stay is over or the access was revoked. Says which, where it was, and whom to ask. */
export function Gone({ ended, onSignIn }: GoneProps) {
  const { host, place } = ended
  return (
    <main class="page still">
      {!host?.logo_url && (
        <div class="emblem">
          <DoorIcon />
        </div>
      )}
      {host && <HostName host={host} />}
      <h1>{say('gone_title')}</h1>
      <p class="lead" role="status">
        {textOf(ended)}
      </p>
      {place && <Numbers place={place} />}
      {place && <Contacts site={place} />}
      <button type="button" class="plain" onClick={onSignIn}>
        {say('sign_in')}
      </button>
    </main>
  )
}

function textOf({ host, place, ended_at }: Ended): string {
  if (!ended_at) return say('gone_text', { organization: host?.name ?? say('host') })
  const ended = when(ended_at, place ?? here)
  return place
    ? say('stay_ended_at', { site: `\u2068${place.name}\u2069`, when: ended })
    : say('stay_ended', { when: ended })
}
