import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moment, settle } from './archive.ts'
import { root } from './bundle.ts'
import { license, version } from './lock.ts'
import { type machines, unpackDatabase, unpackNode } from './natives.ts'
import type { Tree } from './trees.ts'

type Machine = (typeof machines)[number]

/** What the two Debian packages differ in. */
const kinds = {
  gatehouse: {
    summary: 'open cloud for physical access control',
    about:
      'Who can open which door, when and how: a REST API, a console for administrators and a page\n for guests, with its own PostgreSQL and Node inside.',
    settings: '/etc/gatehouse/gatehouse.env',
    example: 'gatehouse.env',
    contents: 'the database with all events, and the key that decrypts its secrets',
    documents: ['docs/settings.md', 'docs/operations.md', 'docs/install.md'],
  },
  'gatehouse-edge': {
    summary: 'controller of Gatehouse in a building',
    about:
      'Decides at the doors of a building, online and offline, and drives hardware on an MQTT broker,\n with its own Node inside.',
    settings: '/etc/gatehouse/edge.env',
    example: 'edge.env.example',
    contents: "the policy of this building's doors, and events that the service has not acknowledged yet",
    documents: ['docs/edge.md', 'docs/install.md'],
  },
}

/** Writes the Debian package of a program for one kind of machine: the npm package, its Node and its PostgreSQL. */
export function makeDebian(tree: Tree, { npm, debian }: Machine, folder: string, target: string): void {
  const name = tree.name as keyof typeof kinds
  const home = join(folder, 'usr/lib', name)
  cpSync(tree.folder, home, { recursive: true })
  unpackNode(npm, home)
  if (name === 'gatehouse') unpackDatabase(npm, home)
  place(folder, name)
  writeControl(folder, name, debian)
  settle(folder)
  const file = join(target, `${name}_${version}_${debian}.deb`)
  const flags = ['--root-owner-group', '--uniform-compression', '-Zzstd', '-z9', '--threads-max=1']
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(moment) }
  execFileSync('dpkg-deb', ['--build', ...flags, folder, file], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function place(folder: string, name: keyof typeof kinds): void {
  for (const path of [
    'usr/bin',
    'usr/lib/systemd/system',
    `usr/share/${name}`,
    `usr/share/doc/${name}`,
    'DEBIAN',
  ])
    mkdirSync(join(folder, path), { recursive: true })
  const { example, documents } = kinds[name]
  symlinkSync(`../lib/${name}/bin/${name}`, join(folder, 'usr/bin', name))
  cpSync(
    join(root, 'deploy/systemd', `${name}.service`),
    join(folder, 'usr/lib/systemd/system', `${name}.service`),
  )
  cpSync(join(root, 'deploy/debian', example), join(folder, 'usr/share', name, example))
  for (const path of documents)
    cpSync(join(root, path), join(folder, 'usr/share/doc', name, path.slice('docs/'.length)))
  const licences = join(folder, 'usr/lib', name, 'THIRD-PARTY-LICENSES')
  const own = readFileSync(join(root, 'LICENSE'), 'utf8')
  writeFileSync(join(folder, 'usr/share/doc', name, 'copyright'), `${own}\n${readFileSync(licences, 'utf8')}`)
}

function writeControl(folder: string, name: keyof typeof kinds, architecture: string): void {
  const { settings, contents, summary, about } = kinds[name]
  for (const script of ['postinst', 'prerm', 'postrm', 'templates']) {
    const text = readFileSync(join(root, 'deploy/debian', script), 'utf8')
    const filled = text
      .replaceAll('@package@', name)
      .replaceAll('@settings@', settings)
      .replaceAll('@contents@', contents)
    writeFileSync(join(folder, 'DEBIAN', script), filled, { mode: script === 'templates' ? 0o644 : 0o755 })
  }
  const files = listFiles(folder)
  const bytes = files.reduce((sum, path) => sum + readFileSync(join(folder, path)).length, 0)
  writeFileSync(
    join(folder, 'DEBIAN/md5sums'),
    files.map(path => `${md5(join(folder, path))}  ${path}\n`).join(''),
  )
  writeFileSync(
    join(folder, 'DEBIAN/control'),
    `Package: ${name}
Version: ${version}
Architecture: ${architecture}
Maintainer: The Gatehouse maintainers <maintainers@gatehouse.example>
Section: net
Priority: optional
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: adduser, debconf (>= 0.5) | debconf-2.0, init-system-helpers (>= 1.54), libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6
Recommends: systemd
Description: ${summary}
 ${about}
 .
 License: ${license}
`,
  )
}

/** Plain files, sorted. Links have no content. */
function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  const paths = entries.map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return paths.filter(path => !path.startsWith('DEBIAN/')).sort()
}

function md5(path: string): string {
  return createHash('md5').update(readFileSync(path)).digest('hex')
}
