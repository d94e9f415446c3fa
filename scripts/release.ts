import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packNpm } from './release/archive.ts'
import { root } from './release/bundle.ts'
import { makeDebian } from './release/debian.ts'
import { renderLicences } from './release/licences.ts'
import { version } from './release/lock.ts'
import { databasePackages, machines, nodePackages } from './release/natives.ts'
import { describeContents } from './release/sbom.ts'
import { makeController, makeSdk, makeService, type Tree } from './release/trees.ts'

/**
 * `npm run release` writes everything that is published into `dist/release`. The same commit gives the same
 * bytes, wherever and whenever it is built.
 */
const target = join(root, 'dist/release')
const drafts = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))

try {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const trees = [
    await makeSdk(join(drafts, 'sdk')),
    await makeService(join(drafts, 'gatehouse')),
    await makeController(join(drafts, 'gatehouse-edge')),
  ]
  for (const tree of trees) packNpm(tree.folder, join(target, `${tree.name}-${version}.tgz`))
  for (const tree of trees.slice(1)) for (const machine of machines) pack(tree, machine)
  for (const name of ['Containerfile', 'compose.yaml']) fill(name)
  writeLists(trees)
  for (const name of readdirSync(target)) console.log(`${describeSize(name)}  ${name}`)
  warnOfChanges()
} finally {
  rmSync(drafts, { recursive: true, force: true })
}

function pack(tree: Tree, machine: (typeof machines)[number]): void {
  const folder = join(drafts, `${tree.name}-${machine.debian}`)
  makeDebian(tree, machine, folder, target)
  rmSync(folder, { recursive: true })
}

/** Copies a file of `deploy` that names the version. */
function fill(name: string): void {
  const text = readFileSync(join(root, 'deploy', name), 'utf8')
  writeFileSync(join(target, name), text.replaceAll('@version@', version))
}

function writeLists(trees: readonly Tree[]): void {
  const inside = trees.flatMap(tree => tree.packages)
  const natives = [...nodePackages, ...databasePackages].map(name => `node_modules/${name}`)
  writeFileSync(join(target, 'sbom.cdx.json'), describeContents([...inside, ...natives]))
  writeFileSync(join(target, 'LICENSES.txt'), renderLicences(inside))
  const sums = readdirSync(target)
    .sort()
    .map(name => `${sha256(join(target, name))}  ${name}\n`)
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

function describeSize(name: string): string {
  return `${(statSync(join(target, name)).size / 1e6).toFixed(2).padStart(8)} MB`
}

function warnOfChanges(): void {
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (stdout.trim() !== '') console.error('This is not what was committed: the working tree has changes.')
}
