import { useEffect, useState } from 'preact/hooks'
import { say } from '../texts.ts'

interface InstallEvent extends Event {
  prompt(): Promise<unknown>
}

/** Shown if the browser offers to install the page as an app. */
export function InstallButton() {
  const [offer, setOffer] = useState<InstallEvent>()
  useEffect(() => {
    const take = (event: Event) => {
      event.preventDefault()
      setOffer(event as InstallEvent)
    }
    addEventListener('beforeinstallprompt', take)
    return () => removeEventListener('beforeinstallprompt', take)
  }, [])
  if (!offer) return null
  const install = () => {
    offer.prompt()
    setOffer(undefined)
  }
  return (
    <button type="button" class="plain" onClick={install}>
      {say('install')}
    </button>
  )
}
