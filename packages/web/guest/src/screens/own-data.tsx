import { useEffect, useState } from 'preact/hooks'
import { fetchDataFile, getDataExport, type Refusal, requestData } from '../api.ts'
import type { Kept } from '../memory.ts'
import type { DataExport } from '../model.ts'
import { say } from '../texts.ts'
import { here, when } from '../times.ts'

/** Milliseconds between two looks while the copy is being made. */
const look = 5000

/** A copy of what the organization holds about the guest. */
export function OwnData({ kept: { home, token } }: { kept: Kept }) {
  const [held, setHeld] = useState<DataExport>()
  const [notice, setNotice] = useState('')
  const [is_busy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<DataExport | undefined>) => {
    setBusy(true)
    setNotice('')
    try {
      const answer = await work()
      if (answer) setHeld(answer)
    } catch (error) {
      setNotice(noticeOf(error as Refusal))
    }
    setBusy(false)
  }
  useEffect(() => void getDataExport(token).then(setHeld, () => undefined), [token])
  useEffect(() => {
    if (held?.state !== 'making') return
    const timer = setTimeout(
      () =>
        getDataExport(token)
          .then(setHeld)
          .catch(() => setHeld({ ...held })),
      look,
    )
    return () => clearTimeout(timer)
  }, [held, token])
  if (!held) return null
  return (
    <section class="card info">
      <h2>{say('your_data')}</h2>
      <p class="text" role="status">
        {notice || stateText(held, home.organization.name)}
      </p>
      <div class="contacts">
        {held.files.map(({ name, media_type }) => (
          <button
            key={name}
            type="button"
            class="quiet"
            disabled={is_busy}
            onClick={() => attempt(() => save(token, name))}
          >
            {say(media_type === 'application/json' ? 'data_json' : 'data_page')}
          </button>
        ))}
        {held.state !== 'making' && held.next_at === null && (
          <button
            type="button"
            class="quiet"
            disabled={is_busy}
            onClick={() => attempt(() => requestData(token))}
          >
            {say('data_ask')}
          </button>
        )}
      </div>
    </section>
  )
}

function stateText({ state, expires_at }: DataExport, organization: string): string {
  if (state === 'making') return say('data_making')
  if (state === 'failed') return say('data_failed')
  if (state === 'ready' && expires_at) return say('data_ready', { when: when(Date.parse(expires_at), here) })
  return say('data_about', { organization })
}

function noticeOf({ type, args }: Refusal): string {
  if (type === 'no_network') return say('no_network')
  return type === 'rate_limited' ? say('slow_down', { seconds: args.seconds ?? '' }) : say('failed')
}

/** A link cannot send the token of the session, so the page fetches the file and hands it over. */
async function save(token: string, name: string): Promise<undefined> {
  const url = URL.createObjectURL(await fetchDataFile(token, name))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
