import { useState } from 'preact/hooks'
import { KeypadIcon } from '../icons.tsx'
import { say } from '../texts.ts'

/** Hidden until tapped, because others may be watching. */
export function PinCard({ length, digits }: { length: number; digits: string | undefined }) {
  const [is_shown, setShown] = useState(false)
  return (
    <div class="card pin">
      <span class="sign">
        <KeypadIcon />
      </span>
      <div>
        {is_shown && digits ? (
          <p class="digits" dir="ltr">
            {digits}
          </p>
        ) : (
          <p class="digits" dir="ltr">
            <span aria-hidden="true">{'•'.repeat(length)}</span>
            <span class="unseen">{say('pin_hidden', { length })}</span>
          </p>
        )}
      </div>
      <button
        type="button"
        class="quiet"
        disabled={!digits}
        onClick={() => setShown(!is_shown)}
        aria-label={`${say(is_shown ? 'hide' : 'show')}: ${say('your_pin')}`}
      >
        {say(is_shown ? 'hide' : 'show')}
      </button>
    </div>
  )
}
