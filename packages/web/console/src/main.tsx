import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './style/tokens.css'
import './style/shell.css'
import './style/parts.css'
import { createRoot } from 'react-dom/client'
import { loadTexts } from './language/say.ts'

/** Loads the texts first, and a polyfill if the browser lacks Temporal, because core depends on it. */
async function start(): Promise<void> {
  const has_time = 'Temporal' in globalThis
  await Promise.all([loadTexts(), has_time || import('temporal-polyfill/global')])
  const { App } = await import('./app.tsx')
  createRoot(document.getElementById('root') as HTMLElement).render(<App />)
}

void start()
