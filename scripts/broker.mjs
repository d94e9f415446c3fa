// The Mosquitto that the tests of the MQTT driver talk to.
import { findOrInstall } from './debian.mjs'

/** The path of a Mosquitto that runs. */
export function findOrInstallBroker(root) {
  return findOrInstall(root, {
    title: 'Mosquitto',
    names: ['mosquitto'],
    packages: ['mosquitto'],
    program: 'usr/sbin/mosquitto',
    check: ['-h'],
  })
}
