import { lazy, Suspense } from 'react'
import { idPattern } from './change-words.ts'

const Named = lazy(async () => ({ default: (await import('./changes.tsx')).Named }))

/** What else a sentence says of an event, with names in the place of IDs. */
export function MoreWords({ text, is_linked }: { text: string; is_linked: boolean }) {
  return (
    <span className="soft">
      {' '}
      ·&nbsp;
      {idPattern.test(text) ? (
        <Suspense fallback="…">
          <Named text={text} is_linked={is_linked} />
        </Suspense>
      ) : (
        text
      )}
    </span>
  )
}
