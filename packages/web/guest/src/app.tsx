import { useEffect, useState } from 'preact/hooks'
import { Gone } from './screens/gone.tsx'
import { HomeScreen } from './screens/home.tsx'
import { SignIn } from './screens/sign-in.tsx'
import { Waiting } from './screens/waiting.tsx'
import { onStage, type Stage } from './stay.ts'

export function App({ first }: { first: Stage }) {
  const [stage, setStage] = useState(first)
  useEffect(() => onStage(setStage), [])
  switch (stage.is) {
    case 'waiting':
      return <Waiting />
    case 'gone':
      return <Gone ended={stage.ended} onSignIn={() => setStage({ is: 'signed_out' })} />
    case 'signed_out':
      return <SignIn notice={stage.notice} />
    case 'home':
      return <HomeScreen kept={stage.kept} is_offline={stage.is_offline} is_recovered={stage.is_recovered} />
  }
}
