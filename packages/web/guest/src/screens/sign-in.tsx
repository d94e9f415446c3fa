import { useEffect, useRef, useState } from 'preact/hooks'
import { checkCode, enterByTicket, type Refusal, sendCode } from '../api.ts'
import { DoorIcon } from '../icons.tsx'
import type { Choice } from '../model.ts'
import { enter, follow, isRecovered, linkIn } from '../stay.ts'
import { type Key, say } from '../texts.ts'
import { Choose } from './choose.tsx'
import { isInstalled } from './install.tsx'

type Step =
  | { readonly is: 'email' }
  | { readonly is: 'code'; readonly in_outbox: boolean }
  | { readonly is: 'choose'; readonly ticket: string; readonly members: readonly Choice[] }

interface SignInProps {
  readonly notice: string | undefined
  readonly is_offline: boolean
}

/** email → code → (choice of member →) home. */
export function SignIn({ notice, is_offline }: SignInProps) {
  const [step, setStep] = useState<Step>({ is: 'email' })
  const [email, setEmail] = useState('')
  const [error, setError] = useState(notice ?? '')
  const [was_sent_again, setSentAgain] = useState(false)
  const [is_busy, setBusy] = useState(false)
  // A link that is tapped opens the browser, never the page on the home screen.
  const is_app = isInstalled()
  const attempt = async (work: () => Promise<unknown>, wrong: Key) => {
    setBusy(true)
    setError('')
    setSentAgain(false)
    await work().catch((refusal: Refusal) => setError(tell(refusal, wrong)))
    setBusy(false)
  }
  const choose = async (ticket: string, member_id: string) => enter(await enterByTicket(ticket, member_id))
  const send = (given: string) => {
    const link = linkIn(given)
    if (link) return follow(link)
    if (given.includes('://')) return setError(say('bad_link'))
    return attempt(async () => {
      setEmail(given)
      const { delivery } = await sendCode(given)
      if (delivery === 'none') setError(say('no_mail'))
      else setStep({ is: 'code', in_outbox: delivery === 'outbox' })
    }, 'bad_email')
  }
  const useAnother = () => {
    setStep({ is: 'email' })
    setSentAgain(false)
  }
  const sendAgain = () =>
    attempt(async () => {
      await sendCode(email)
      setSentAgain(true)
    }, 'failed')
  const check = (code: string) =>
    attempt(async () => {
      const { ticket, members } = await checkCode(email, code)
      const [only] = members
      if (!only) return setError(say('no_members'))
      if (members.length === 1) await choose(ticket, only.member_id)
      else setStep({ is: 'choose', ticket, members })
    }, 'wrong_code')

  if (step.is === 'choose')
    return (
      <Choose
        members={step.members}
        error={is_offline ? '' : error}
        is_busy={is_busy}
        onChoose={id => attempt(() => choose(step.ticket, id), 'no_members')}
        onSignOut={() => {
          setEmail('')
          setError('')
          setStep({ is: 'email' })
        }}
      />
    )
  const in_outbox = step.is === 'code' && step.in_outbox
  return (
    <main class="page still">
      <div class="emblem">
        <DoorIcon />
      </div>
      <h1>{say('title')}</h1>
      <p class="lead">
        {step.is === 'email'
          ? say(is_app ? 'sign_in_there' : 'sign_in_intro')
          : say(in_outbox ? 'code_in_outbox' : 'code_sent', { email })}{' '}
        {in_outbox && (
          <a href="/outbox" target="_blank" rel="noopener">
            {say('open_outbox')}
          </a>
        )}
      </p>
      {error && !is_offline && (
        <p class="banner" role="alert">
          {error}
        </p>
      )}
      {was_sent_again && (
        <p class="banner calm" role="status">
          {say(in_outbox ? 'another_in_outbox' : 'code_sent_again', { email })}
        </p>
      )}
      {step.is === 'email' ? (
        <OneField
          key="email"
          name="email"
          label={say(is_app ? 'email_or_link' : 'email')}
          value={email}
          button={say(is_app ? 'continue' : 'send_code')}
          is_busy={is_busy}
          onSend={send}
        />
      ) : (
        <>
          <OneField
            key="code"
            name="code"
            label={say('code')}
            value=""
            button={say('sign_in')}
            is_busy={is_busy}
            onSend={check}
          />
          <div class="others">
            <button
              type="button"
              class="plain"
              aria-disabled={is_busy}
              onClick={() => is_busy || sendAgain()}
            >
              {say('send_again')}
            </button>
            <button type="button" class="plain" onClick={useAnother}>
              {say('another_email')}
            </button>
          </div>
        </>
      )}
    </main>
  )
}

function tell(refusal: Refusal, wrong: Key): string {
  const { type, args } = refusal
  if (isRecovered(refusal)) return say('recovered')
  if (type === 'rate_limited') return say('slow_down', { seconds: args.seconds ?? '' })
  if (type === 'no_network') return say('no_network')
  return type === 'internal' || type === 'unavailable' ? say('failed') : say(wrong)
}

interface FieldProps {
  readonly name: 'email' | 'code'
  readonly label: string
  readonly value: string
  readonly button: string
  readonly is_busy: boolean
  onSend(given: string): void
}

function OneField({ name, label, value, button, is_busy, onSend }: FieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    if (!is_busy) onSend(input.current?.value.trim() ?? '')
  }
  const kind =
    name === 'email'
      ? ({ type: 'email', autocomplete: 'email' } as const)
      : ({ type: 'text', inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 9 } as const)
  return (
    <form class="field" onSubmit={submit} novalidate>
      <label for={name}>{label}</label>
      <input id={name} ref={input} dir="ltr" required defaultValue={value} class={name} {...kind} />
      <button type="submit" class="act" aria-disabled={is_busy}>
        {button}
      </button>
    </form>
  )
}
