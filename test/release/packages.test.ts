import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packNpm } from '../../scripts/release/archive.ts'
import { root } from '../../scripts/release/bundle.ts'
import { locked } from '../../scripts/release/lock.ts'
import { describeContents } from '../../scripts/release/sbom.ts'
import { makeController, type Tree } from '../../scripts/release/trees.ts'

let folder: string
let tree: Tree

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-packages-'))
  tree = await makeController(join(folder, 'one'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a package has the same bytes when it is built again, elsewhere and with another umask', async () => {
  const before = process.umask(0o077)
  const again = await makeController(join(folder, 'elsewhere/two')).finally(() => process.umask(before))
  expect(hashOf(again)).toBe(hashOf(tree))
})

function hashOf({ folder: packed }: Tree): string {
  const file = join(folder, 'packed.tgz')
  packNpm(packed, file)
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

test('the controller is small, brings only Node, and names no place of the machine that built it', () => {
  const manifest = JSON.parse(readFileSync(join(tree.folder, 'package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(Object.keys(manifest.optionalDependencies)).toHaveLength(4)
  for (const [name, version] of Object.entries(manifest.optionalDependencies))
    expect(version).toBe(locked[`node_modules/${name}`]?.version)
  const size = Number(execFileSync('du', ['-sk', tree.folder], { encoding: 'utf8' }).split('\t')[0])
  expect(size).toBeLessThan(40_000)
  expect(spawnSync('grep', ['-rl', root, tree.folder], { encoding: 'utf8' }).stdout).toBe('')
})

test('the command says what is missing when npm left out the optional packages', () => {
  const copy = join(folder, 'alone')
  mkdirSync(copy)
  cpSync(tree.folder, copy, { recursive: true })
  const { status, stderr } = spawnSync(join(copy, 'bin/gatehouse-edge'), ['--help'], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toMatch(/The package node-\S+ is missing: install gatehouse-edge again/)
})

test('the contents are listed with version, license and hash', () => {
  const { components, metadata } = JSON.parse(describeContents(tree.packages))
  expect(metadata.component.name).toBe('gatehouse')
  expect(components.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['mqtt', 'ws']))
  const packages = components.filter(({ purl }: { purl?: string }) => purl)
  for (const component of packages) {
    expect(component.licenses).toHaveLength(1)
    expect(component.hashes[0].content).toMatch(/^[0-9a-f]{128}$/)
  }
  const licences = readFileSync(join(tree.folder, 'THIRD-PARTY-LICENSES'), 'utf8')
  for (const { name, version } of packages) expect(licences).toContain(`${name} ${version}: `)
})

// In npm's registry, the names belong to others.
test('documents use npx only where there is a checkout', () => {
  const documents = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
  const naming = documents.filter(name =>
    /npx gatehouse/.test(readFileSync(join(root, 'docs', name), 'utf8')),
  )
  expect(naming).toEqual(['api.md', 'install.md'])
  for (const name of ['gatehouse', 'gatehouse-edge'])
    expect(readFileSync(join(root, 'deploy/npm', name), 'utf8')).not.toContain('npx')
})
