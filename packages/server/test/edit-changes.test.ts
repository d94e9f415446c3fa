import { resources } from '@gatehouse-access/api'
import { expect, test } from 'vitest'
import { tellChanges } from '../src/store/edits/changes.ts'

const { device, member, member_group, member_pin, schedule, webhook } = resources

test('what changed is told as deep as somebody would say it', () => {
  expect(
    tellChanges(
      member,
      { name: 'Anna', metadata: { room: '101', floor: '1' }, ends_at: null },
      { name: 'Ana', metadata: { room: '102', floor: '1', note: 'late' }, ends_at: null },
    ),
  ).toEqual({
    changes: [
      { field: 'name', before: 'Anna', after: 'Ana' },
      { field: 'metadata', path: 'room', before: '101', after: '102' },
      { field: 'metadata', path: 'note', before: null, after: 'late' },
    ],
  })
  expect(tellChanges(device, { status: { online: true } }, { status: { online: false } })).toEqual({
    changes: [{ field: 'status', path: 'online', before: true, after: false }],
  })
  expect(tellChanges(member, { name: 'Anna' }, { name: 'Anna' })).toEqual({})
})

test('of a list, only the entries that differ are told', () => {
  const rule = (site_id: string, schedule_id?: string) => ({ site_id, ...(schedule_id && { schedule_id }) })
  const permissions = [rule('a'), rule('b'), rule('c')]
  const without = [rule('a'), rule('c')]
  expect(tellChanges(member_group, { permissions }, { permissions: without })).toEqual({
    changes: [{ field: 'permissions', path: '1', before: rule('b'), after: null }],
  })
  expect(
    tellChanges(member_group, { permissions }, { permissions: [rule('a'), rule('b', 's'), rule('c')] }),
  ).toEqual({ changes: [{ field: 'permissions', path: '1.schedule_id', before: null, after: 's' }] })
  const days = (end: number) => Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end }] }))
  expect(tellChanges(schedule, { weekdays: days(1) }, { weekdays: days(2) }).changes).toHaveLength(7)
})

test('secrets, and what belongs to one application, are told only as changed', () => {
  const told = tellChanges(
    member_pin,
    {},
    { pin_ciphertext: Buffer.from('1234'), pin_hash: Buffer.from('x') },
  )
  expect(told.changes).toEqual([{ field: 'pin', is_secret: true }])
  const url = tellChanges(webhook, { url: 'https://a.example/key' }, { url: 'https://b.example/key' })
  expect(url.changes).toEqual([{ field: 'url', is_secret: true }])
})

test('an event stays small, and every field is named', () => {
  const long = 'x'.repeat(5000)
  const { changes } = tellChanges(member, { name: 'Anna' }, { name: long })
  expect(changes).toEqual([{ field: 'name', before: 'Anna', after: `${'x'.repeat(200)}…`, is_cut: true }])
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key ${index}`, long]))
  const told = tellChanges(member, { metadata: {}, name: 'Anna' }, { metadata: many, name: 'Ana' })
  expect(told.changes_cut).toBe(true)
  expect(told.changes).toHaveLength(50)
  expect(told.changes?.at(-1)).toMatchObject({ field: 'name' })
  expect(JSON.stringify(told).length).toBeLessThan(15_000)
})
