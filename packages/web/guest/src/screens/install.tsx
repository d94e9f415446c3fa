import { useEffect, useState } from 'preact/hooks'
import { say } from '../texts.ts'

interface InstallEvent extends Event {
  prompt(): Promise<unknown>
}

export interface Install {
  readonly can_open: boolean
  readonly is_open: boolean
  readonly offer: InstallEvent | undefined
  open(): void
  close(): void
}

const place = 'gatehouse-guest-install'
const is_apple =
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
const is_phone = is_apple || /Android/.test(navigator.userAgent)

export function isInstalled(): boolean {
  return (
    matchMedia('(display-mode: standalone)').matches ||
    ('standalone' in navigator && navigator.standalone === true)
  )
}

function wasSeen(): boolean {
  try {
    return localStorage.getItem(place) !== null
  } catch {
    return true
  }
}

function noteSeen(): void {
  try {
    localStorage.setItem(place, 'seen')
  } catch {
    // Private windows may refuse storage.
  }
}

/** Explained once on a phone; later only on request. Browsers that can install the page by themselves say so. */
export function useInstall(): Install {
  const [offer, setOffer] = useState<InstallEvent>()
  const [is_open, setOpen] = useState(() => is_phone && !isInstalled() && !wasSeen())
  useEffect(() => {
    const take = (event: Event) => {
      event.preventDefault()
      setOffer(event as InstallEvent)
    }
    addEventListener('beforeinstallprompt', take)
    return () => removeEventListener('beforeinstallprompt', take)
  }, [])
  const can_open = !is_open && !isInstalled() && (is_phone || offer !== undefined)
  return {
    can_open,
    is_open,
    offer,
    open: () => setOpen(true),
    close: () => setOpen(false),
  }
}

/** The steps of the phone at hand, or a button if the browser takes them by itself. */
export function InstallCard({ install: { offer, close } }: { install: Install }) {
  // Noted when it is shown: who ignores it does not want it at the next visit either.
  useEffect(noteSeen, [])
  const install = () => {
    offer?.prompt()
    close()
  }
  return (
    <section class="card">
      <h2>{say('install')}</h2>
      <p class="soft">{say('install_why')}</p>
      {!offer && (
        <ol class="steps">
          {(is_apple
            ? (['install_share', 'install_choose', 'install_enter'] as const)
            : (['install_menu', 'install_pick'] as const)
          ).map(key => (
            <li key={key}>{say(key)}</li>
          ))}
        </ol>
      )}
      {offer && (
        <button type="button" class="act" onClick={install}>
          {say('install')}
        </button>
      )}
      <button type="button" class="quiet" onClick={close}>
        {say('not_now')}
      </button>
    </section>
  )
}
