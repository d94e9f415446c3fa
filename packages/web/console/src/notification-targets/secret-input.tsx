import { Button, PasswordInput } from '@mantine/core'
import type { Draft } from '../form/draft.ts'
import { t } from '../language/t.ts'
import type { TargetValues } from './target-values.ts'

/** The token of an ntfy server, or the key that signs messages to a receiver. */
export function SecretInput({ draft, is_new }: { draft: Draft<TargetValues>; is_new: boolean }) {
  const { values, set, errorOf } = draft
  const is_http = values.kind === 'http'
  const kept = is_new ? '' : t(' Leave it empty to keep the one that is set.')
  return (
    <div className="target-secret">
      <PasswordInput
        label={is_http ? 'Secret' : 'Access token'}
        description={`${is_http ? t('Signs every message, 16 characters or more.') : t('Only if the server asks for one.')}${kept}`}
        required={is_http && is_new}
        autoComplete="off"
        value={values.secret}
        error={errorOf(is_http ? 'secret' : 'token')}
        onChange={event => set('secret', event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide it' }}
      />
      {is_http && (
        <Button variant="default" onClick={() => set('secret', randomSecret())}>
          Generate
        </Button>
      )}
    </div>
  )
}

function randomSecret(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(24))]
  return bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')
}
