import { KeypadIcon } from '../icons.tsx'
import { say } from '../texts.ts'

interface Props {
  readonly length: number
  readonly digits: string | undefined
  readonly is_shown: boolean
  onToggle(): void
}

/** Hidden until tapped, because others may be watching. */
export function PinCard({ length, digits, is_shown, onToggle }: Props) {
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
        onClick={onToggle}
        aria-label={`${say(is_shown ? 'hide' : 'show')}: ${say('your_pin')}`}
      >
        {say(is_shown ? 'hide' : 'show')}
      </button>
    </div>
  )
}
