import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from './bundle.ts'

/** Seconds since 1970 that every file of a release carries: the time of its commit. */
export const moment = Number(
  process.env.SOURCE_DATE_EPOCH ??
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }),
)

/** Gives every file below the same time and one of two modes, whatever the umask of the one who builds. */
export function settle(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const found = lstatSync(path)
    if (found.isDirectory()) settle(path)
    else if (!found.isSymbolicLink()) chmodSync(path, found.mode & 0o100 ? 0o755 : 0o644)
    lutimesSync(path, moment, moment)
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, moment, moment)
}

/** Writes the folder as an archive of npm: sorted, without users. The name of gzip's file and time are left out. */
export function packNpm(folder: string, file: string): void {
  settle(folder)
  const flags = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar']
  const rename = `--transform=s,^${basename(folder)},package,`
  execFileSync('tar', [
    '-cf',
    file.replace(/\.tgz$/, '.tar'),
    '-C',
    dirname(folder),
    ...flags,
    rename,
    basename(folder),
  ])
  execFileSync('gzip', ['-9', '--no-name', '--force', '--suffix=.gz', file.replace(/\.tgz$/, '.tar')])
  execFileSync('mv', [file.replace(/\.tgz$/, '.tar.gz'), file])
}
