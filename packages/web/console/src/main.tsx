import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './style/tokens.css'
import './style/shell.css'
import './style/parts.css'
import { createRoot } from 'react-dom/client'

/** Loads a polyfill first if the browser lacks Temporal, because core depends on it. */
async function start(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  const { App } = await import('./app.tsx')
  createRoot(document.getElementById('root') as HTMLElement).render(<App />)
}

void start()
