import { say } from '../texts.ts'

/** Matches what the page shows before its script runs. */
export function Waiting() {
  return (
    <main class="page" aria-busy="true">
      <div class="masthead">
        <h1 class="ghost wide">{say('loading')}</h1>
      </div>
      <div class="ghost door" />
      <div class="ghost door" />
    </main>
  )
}
