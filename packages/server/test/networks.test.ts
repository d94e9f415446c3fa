import { expect, test } from 'vitest'
import { networkOf, plainAddress, within } from '../src/network/networks.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['::ffff:7f00:1', '127.0.0.1'],
  ['0:0:0:0:0:ffff:7f00:1', '127.0.0.1'],
  ['0000::ffff:127.0.0.1', '127.0.0.1'],
  ['::ffff:0:7f00:1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:0db8:0000:0000:ffff::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:203.0.113.7', '2001:db8:1:2::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['no address', 'no address'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::ffff:7f00:1', '127.0.0.1'],
  ['[::ffff:7f00:0001]', '127.0.0.1'],
  ['0:0:0:0:0:ffff:7f00:1', '127.0.0.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:db8::1', '2001:db8::1'],
])('%s is the address %s', (text, address) => {
  expect(plainAddress(text)).toBe(address)
})

test('a network holds an IPv4 address however it is written', () => {
  const isInside = within(['127.0.0.0/8'])
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:1'])
    expect(isInside(address), address).toBe(true)
})
