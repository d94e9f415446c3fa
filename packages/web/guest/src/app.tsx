import { useEffect, useState } from 'preact/hooks'
import { isOffline, onNetwork } from './network.ts'
import { Gone } from './screens/gone.tsx'
import { HomeScreen } from './screens/home.tsx'
import { SignIn } from './screens/sign-in.tsx'
import { Waiting } from './screens/waiting.tsx'
import { lookAgain, onStage, type Stage } from './stay.ts'
import { say } from './texts.ts'
import { here, when } from './times.ts'

export function App({ first }: { first: Stage }) {
  const [stage, setStage] = useState(first)
  const [is_offline, setOffline] = useState(isOffline)
  useEffect(() => onStage(setStage), [])
  useEffect(() => onNetwork(setOffline), [])
  return (
    <>
      {is_offline && (
        <div class="banner offline">
          <p role="status">{offlineText(stage)}</p>
          {(stage.is === 'signed_out' || hasUnopened(stage)) && <TryAgain />}
        </div>
      )}
      <Screen stage={stage} is_offline={is_offline} onSignIn={() => setStage({ is: 'signed_out' })} />
    </>
  )
}

function TryAgain() {
  const [is_busy, setBusy] = useState(false)
  const press = async () => {
    if (is_busy) return
    setBusy(true)
    await lookAgain()
    setBusy(false)
  }
  return (
    <button type="button" class="plain" aria-disabled={is_busy} onClick={press}>
      {say(is_busy ? 'working' : 'try_again')}
    </button>
  )
}

interface ScreenProps {
  readonly stage: Stage
  readonly is_offline: boolean
  onSignIn(): void
}

function Screen({ stage, is_offline, onSignIn }: ScreenProps) {
  switch (stage.is) {
    case 'waiting':
      return <Waiting />
    case 'gone':
      return <Gone ended={stage.ended} onSignIn={onSignIn} />
    case 'signed_out':
      return <SignIn notice={stage.notice} is_offline={is_offline} />
    case 'home':
      return <HomeScreen kept={stage.kept} is_offline={is_offline} is_recovered={stage.is_recovered} />
  }
}

/** What is known on the home screen can be used without the network. The other screens know nothing. */
function offlineText(stage: Stage): string {
  if (stage.is !== 'home') return say('no_network')
  const known = say('offline', { when: when(stage.kept.saved_at, here) })
  return hasUnopened(stage) ? `${say('link_waits')} ${known}` : known
}

function hasUnopened(stage: Stage): boolean {
  return stage.is === 'home' && stage.has_unopened === true
}
