// The Mosquitto for the tests of the MQTT driver.
import { findOrInstall } from './debian.mjs'

/** Returns the path of a working Mosquitto. */
export function findOrInstallBroker(root) {
  return findOrInstall(root, {
    title: 'Mosquitto',
    names: ['mosquitto'],
    packages: ['mosquitto'],
    program: 'usr/sbin/mosquitto',
    check: ['-h'],
  })
}
