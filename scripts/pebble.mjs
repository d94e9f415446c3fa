// The certificate authority for the tests of ACME.
import { findOrInstall } from './debian.mjs'

/** Returns the path of a working Pebble. */
export function findOrInstallPebble(root) {
  return findOrInstall(root, {
    title: 'Pebble',
    names: ['pebble'],
    packages: ['pebble'],
    program: 'usr/bin/pebble',
    check: ['-h'],
  })
}
