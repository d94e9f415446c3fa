import { render } from 'preact'
import { App } from './app.tsx'
import { beginStay } from './stay.ts'

const first = beginStay()
const root = document.getElementById('app')
if (root) {
  root.replaceChildren()
  render(<App first={first} />, root)
}
// Registered after loading, so that it does not delay the first screen.
addEventListener('load', () =>
  navigator.serviceWorker?.register('/guest/sw.js', { scope: '/guest' }).catch(() => undefined),
)
