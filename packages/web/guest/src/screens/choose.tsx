import type { Choice } from '../model.ts'
import { say } from '../texts.ts'
import { here, when } from '../times.ts'

/** Chooses between several members that share one email address. */
export function Choose({
  members,
  error,
  is_busy,
  onChoose,
  onSignOut,
}: {
  members: readonly Choice[]
  error: string
  is_busy: boolean
  onChoose(member_id: string): void
  onSignOut(): void
}) {
  return (
    <main class="page still">
      <h1>{say('choose')}</h1>
      {error && (
        <p class="banner" role="alert">
          {error}
        </p>
      )}
      <ul class="choices">
        {members.map(member => (
          <li key={member.member_id}>
            <button
              type="button"
              class="choice"
              aria-disabled={is_busy}
              onClick={() => is_busy || onChoose(member.member_id)}
            >
              <strong class="name">
                <bdi>{member.organization.name}</bdi>
              </strong>
              <span>{stay(member)}</span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="plain" onClick={onSignOut}>
        {say('sign_out')}
      </button>
    </main>
  )
}

function stay({ starts_at, ends_at }: Choice): string {
  const show = (at: string) => when(at, here)
  if (starts_at && ends_at) return say('valid_between', { from: show(starts_at), until: show(ends_at) })
  if (ends_at) return say('valid_until', { when: show(ends_at) })
  return starts_at && Date.parse(starts_at) > Date.now()
    ? say('stay_starts', { when: show(starts_at) })
    : say('no_end')
}
