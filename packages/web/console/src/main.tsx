import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './style/tokens.css'
import './style/shell.css'
import './style/parts.css'
import { createRoot } from 'react-dom/client'

/** Where the browser lacks Temporal it is loaded first, since core counts on it. */
async function start(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  const { App } = await import('./app.tsx')
  createRoot(document.getElementById('root') as HTMLElement).render(<App />)
}

void start()
