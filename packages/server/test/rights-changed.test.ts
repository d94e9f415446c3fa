import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

/** The tables from which tokens and sessions are cached. */
const changes =
  /(UPDATE|DELETE FROM) (organization_users|user_sessions|access_tokens|installations|organization_security|oauth_applications|users)\b/

/** These change nothing that is cached: times of last use, a password, or demo data before any request. */
const harmless = ['seed', 'TokenCache', 'findSession', 'storePassword', 'rememberLanguage', 'changeSettings']

test('whatever changes what a token or a session is worth says so', () => {
  const silent = sources().flatMap(path => {
    const text = readFileSync(path, 'utf8')
    const parts = parseAst(text, { lang: 'ts' }, path).body.map(({ start, end }) => text.slice(start, end))
    return parts
      .filter(part => changes.test(part) && !part.includes("afterCommit('rights_changed')"))
      .map(nameOf)
  })
  expect(silent.filter(name => !harmless.includes(name))).toEqual([])
  expect(silent).toEqual(expect.arrayContaining(harmless))
})

function sources(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', 'packages/server/src/*.ts']
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(existsSync)
}

function nameOf(part: string): string {
  return /(?:function|class|const) (\w+)/.exec(part)?.[1] ?? part
}
