import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { hotel } from './hotel.ts'

test('a reservation is mirrored step by step, as the spec describes the sync flow', async () => {
  await using w = await world()
  const { client } = await w.tenant('Hotel')
  const { room, otherRoom } = await hotel(client)

  // 1. On reservation created: a member with dates in UTC and the reservation reference.
  const member = await client.members.create({
    name: 'Reservation R-1',
    starts_at: '2027-03-01T15:00:00+01:00',
    ends_at: '2027-03-05T11:00:00+01:00',
    metadata: { source: 'pms', sourceID: 'R-1' },
  })
  expect(member.starts_at).toBe('2027-03-01T14:00:00.000000Z')
  expect(member).toMatchObject({ is_deleted: false, metadata: { source: 'pms', sourceID: 'R-1' } })

  // 2. The room's group, without dates of its own.
  const association = await client.member_group_associations.create(member.id, { member_group_id: room })
  expect(association).toMatchObject({
    member_id: member.id,
    member_group_id: room,
    starts_at: null,
    ends_at: null,
  })

  // 3. Credentials: the create response contains the secret.
  const link = await client.member_magic_links.create(member.id, {})
  expect(link.link).toMatch(new RegExp(`/guest#${link.id}_`))
  const pin = await client.member_pins.create(member.id, { length: 6 })
  expect(pin).toMatchObject({ length: 6, pin: expect.stringMatching(/^\d{6}$/) })
  const email = await client.member_emails.create(member.id, { email: 'Guest@Example.com' })
  expect(email.email).toBe('Guest@Example.com')
  const card = await client.member_cards.create(member.id, { uid: '04a1b2c3d4e5f6' })
  expect(card.uid).toBe('04A1B2C3D4E5F6')
  const got = await client.member_pins.get(member.id, pin.id)
  expect(got).not.toHaveProperty('pin')
  expect(await client.member_pins.reveal(member.id, pin.id)).toMatchObject({ pin: pin.pin })

  // The integrator finds the member by its own reference, or by email.
  const byReference = await client.members.list({ 'metadata.source': 'pms', 'metadata.sourceID': 'R-1' })
  expect(byReference.data.map(row => row.id)).toEqual([member.id])
  const byEmail = await client.members.list({
    email: 'guest@example.COM',
    expand: ['emails', 'pins', 'cards', 'group_associations.member_group'],
  })
  expect(byEmail.data[0]).toMatchObject({
    emails: [{ id: email.id }],
    pins: [{ id: pin.id }],
    cards: [{ uid: '04A1B2C3D4E5F6' }],
    group_associations: [{ member_group: { name: 'Room 101' } }],
  })

  // 4. On dates changed.
  const moved = await client.members.edit(member.id, { ends_at: '2027-03-07T10:00:00Z' })
  expect(moved).toMatchObject({ starts_at: member.starts_at, ends_at: '2027-03-07T10:00:00.000000Z' })

  // 5. On room changed: delete the old association, create a new one.
  expect(await client.member_group_associations.delete(member.id, association.id)).toMatchObject({
    is_deleted: true,
  })
  await client.member_group_associations.create(member.id, { member_group_id: otherRoom })
  const now = await client.members.get(member.id, { expand: ['group_associations'] })
  expect(now).toMatchObject({ group_associations: [{ member_group_id: otherRoom }] })

  // 6. On cancellation.
  expect(await client.members.delete(member.id)).toMatchObject({ id: member.id, is_deleted: true })
  expect((await client.members.list({})).data).toEqual([])
  expect((await client.member_pins.list(member.id, {})).data).toHaveLength(1)

  const verbs = (
    await client.events.list({ 'object.member_id': member.id, limit: 100, sort: 'created_at:asc' })
  ).data
  expect(verbs.map(event => `${event.verb} ${event.object.type}`)).toEqual([
    'create member',
    'create member_group_association',
    'create member_magic_link',
    'create member_pin',
    'create member_email',
    'create member_card',
    'reveal member_pin',
    'edit member',
    'delete member_group_association',
    'create member_group_association',
    'delete member',
  ])
})

test('an employee is mirrored without dates, and groups change by associations', async () => {
  await using w = await world()
  const { client } = await w.tenant('Office')
  const { room, otherRoom } = await hotel(client)

  const member = await client.members.create({ name: 'Employee 7', metadata: { source: 'hr' } })
  expect(member).toMatchObject({ starts_at: null, ends_at: null })
  const first = await client.member_group_associations.create(member.id, { member_group_id: room })
  await client.member_group_associations.create(member.id, { member_group_id: otherRoom })
  await client.member_cards.create(member.id, { uid: '0A0B0C0D' })

  await client.member_group_associations.delete(member.id, first.id)
  const groups = await client.member_group_associations.list(member.id, {})
  expect(groups.data.map(row => row.member_group_id)).toEqual([otherRoom])

  expect(await client.members.delete(member.id)).toMatchObject({ is_deleted: true })
  expect(await client.members.get(member.id)).toMatchObject({ is_deleted: true })
})
