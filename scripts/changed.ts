import { execFileSync } from 'node:child_process'
import { slowTests } from './slow-tests.ts'

/** Maps each part of the code to the shortest tests that would notice a fault in it. */
const stories: readonly (readonly [RegExp, ...string[]])[] = [
  [/^packages\/(api|sdk|server\/src\/(http|services|store|policy|database|flow))\//, 'test/stories'],
  [/^packages\/server\/src\/(oauth|mail|http\/pages)\//, 'test/oauth/dance', 'test/oauth/users'],
  [/^packages\/server\/src\/(events|delivery)\//, 'test/delivery/webhooks', 'test/stream/stream'],
  [/^packages\/server\/src\/audit\//, 'test/audit/chain'],
  [/^packages\/server\/src\/devices\//, 'test/devices/commands', 'test/devices/sync'],
  [/^packages\/server\/migrations\//, 'test/properties/schema', 'test/stories'],
  [/^packages\/edge\//, 'packages/edge/test/station', 'test/devices/edge-story'],
  [/^packages\/sdk\//, 'packages/sdk/test'],
  [/^packages\/cli\//, 'packages/cli/test/command'],
  [/^packages\/web\/(console|ui)\//, 'test/browser/console/story'],
  [/^packages\/web\/guest\//, 'test/browser/console/story', 'test/stories/member-api'],
]

/** Returns the tests for what this branch changed, committed or not; on main, for the last commit. */
export function storiesOfChanges(): string[] {
  const changed = changedFiles()
  const told = stories.flatMap(([part, ...tests]) => (changed.some(path => part.test(path)) ? tests : []))
  const own = changed.filter(path => path.endsWith('.test.ts') && !slowTests.test(path))
  return [...new Set([...told, ...own])]
}

function changedFiles(): string[] {
  const head = git('rev-parse', 'HEAD')
  const base = git('merge-base', 'HEAD', mainBranch())
  const since = base.join() === head.join() ? 'HEAD~1' : (base[0] as string)
  return [
    ...git('diff', '--name-only', '--diff-filter=d', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

function mainBranch(): string {
  const names = git(
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads/main',
    'refs/remotes/origin/main',
  )
  return names[0] ?? 'HEAD'
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
}
