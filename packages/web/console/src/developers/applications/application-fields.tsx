import { Textarea, TextInput } from '@mantine/core'
import type { Draft } from '../../form/draft.ts'
import { joinLines, lineError, splitLines } from './lines.ts'

interface Values {
  readonly name: string
  readonly redirect_uris: readonly string[]
}

/** The name that users see and the redirect URIs. Used when creating and editing an application. */
export function ApplicationFields<V extends Values>({ draft }: { draft: Draft<V> }) {
  return (
    <>
      <TextInput
        label="Name"
        description="Shown to users when they authorize the application"
        required
        maxLength={255}
        data-autofocus
        value={draft.values.name}
        error={draft.errorOf('name')}
        onChange={event => draft.set('name', event.currentTarget.value as V['name'])}
      />
      <Textarea
        label="Redirect URIs"
        description="Where users return after authorizing, one per line: an https URL, a localhost URL, or your own URI scheme"
        placeholder="https://example.com/callback"
        autosize
        minRows={2}
        value={joinLines(draft.values.redirect_uris)}
        error={lineError(draft, 'redirect_uris')}
        onChange={event =>
          draft.set('redirect_uris', splitLines(event.currentTarget.value) as V['redirect_uris'])
        }
      />
    </>
  )
}
