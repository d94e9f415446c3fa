import { doorTemplates } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { plantLobby } from './lobby.ts'
import type { Planter } from './planter.ts'

const hour = 3600
const day = 24 * hour
const door = doorTemplates.plain
const lobbyDoor = doorTemplates.holdable

function everyDay(start: number, end: number) {
  return Array.from({ length: 7 }, () => ({ ranges: [{ start: start * hour, end: end * hour }] }))
}

function workdays(start: number, end: number) {
  return everyDay(start, end).map((weekday, index) => (index < 5 ? weekday : { ranges: [] }))
}

/** Two hotels in two time zones, with every kind of device, gadget, rule and credential. */
export async function seedHotel(plant: Planter, now: string): Promise<void> {
  const vip = await plant.create('tag', { name: 'VIP', color: '#d4af37', applies_to: ['member'] })
  const outdoor = await plant.create('tag', {
    name: 'Outdoor',
    color: '#2e8b57',
    applies_to: ['gadget', 'device'],
  })
  const hours = await seedHours(plant, now)
  const madrid = await seedMadrid(plant, outdoor, await seedDaysOff(plant))
  const newYork = await seedNewYork(plant)
  const groups = await seedGroups(plant, madrid, newYork, hours)
  await seedPeople(plant, now, groups, vip)
  await plantLobby(plant, {
    site_id: madrid.site,
    gadget_id: madrid.front,
    schedule_id: hours.lobby,
    first: [groups.reception],
    exempt: [groups.managers],
  })
}

/** Cleaners are off on holidays and leave early on half days; the pool is closed for two days next week. */
async function seedHours(plant: Planter, now: string) {
  const dateIn = (days: number) => addSeconds(now, days * day).slice(0, 10)
  return {
    cleaning: await plant.create('schedule', {
      name: 'Cleaning hours',
      weekdays: workdays(8, 18),
      special_days: [
        { kind: 'holiday', ranges: [] },
        { kind: 'half_day', ranges: [{ start: 8 * hour, end: 12 * hour }] },
      ],
    }),
    pool: await plant.create('schedule', {
      name: 'Pool hours',
      weekdays: everyDay(9, 21),
      exceptions: [{ starts_on: dateIn(8), ends_on: dateIn(9), name: 'Maintenance', ranges: [] }],
    }),
    lobby: await plant.create('schedule', { name: 'Lobby hours', weekdays: everyDay(7, 22) }),
  }
}

/** Returns a calendar whose days come back every year, kept by hand: the tables of countries take longer to read. */
async function seedDaysOff(plant: Planter): Promise<string> {
  const calendar_id = await plant.create('calendar', { name: 'Holidays in Madrid' })
  for (const [date, name, kind] of [
    ['01-01', 'New Year', 'holiday'],
    ['01-06', 'Epiphany', 'holiday'],
    ['05-01', 'Labour Day', 'holiday'],
    ['12-24', 'Christmas Eve', 'half_day'],
    ['12-25', 'Christmas Day', 'holiday'],
  ] as const)
    await plant.create(
      'calendar_day',
      { name, kind, starts_on: `2026-${date}`, recurrence: 'yearly' },
      { calendar_id },
    )
  return calendar_id
}

async function seedMadrid(plant: Planter, outdoor: string, calendar_id: string) {
  const site = await plant.create('site', {
    name: 'Miramar Madrid',
    timezone: 'Europe/Madrid',
    calendar_ids: [calendar_id],
    geo: { location: { lat: 40.4168, lng: -3.7038 }, radius: 150 },
    map: { location: { lat: 40.4168, lng: -3.7038 }, address: 'Calle Mayor 1, Madrid' },
    phone: '+34 910 000 000',
    email: 'madrid@miramar.example',
    info: 'Breakfast from 7 to 10:30. The pool is on the roof.',
  })
  await plant.create('device', {
    name: 'Basement gateway',
    site_id: site,
    product_id: 'gateway',
    hardware_id: 'hw_GW-MAD-0001',
  })
  await plant.create('device', {
    name: 'Garage controller',
    site_id: site,
    product_id: 'controller',
    hardware_id: 'hw_CT-MAD-0001',
  })
  const lobby = await plant.create('device', {
    name: 'Lobby controller',
    site_id: site,
    product_id: 'controller',
  })
  const keypad = await plant.create('device', {
    name: 'Street keypad',
    site_id: site,
    product_id: 'keypad',
    tag_ids: [outdoor],
  })
  const doors = {
    front: await plant.create('gadget', {
      name: 'Front door',
      device_id: lobby,
      ...lobbyDoor,
      signals: [...lobbyDoor.signals, { id: 'bell', name: 'Bell' }],
      tag_ids: [outdoor],
    }),
    lift: await plant.create('gadget', {
      name: 'Lift',
      device_id: lobby,
      actions: [
        { id: 'up', name: 'Up' },
        { id: 'down', name: 'Down' },
      ],
    }),
    pool: await plant.create('gadget', { name: 'Pool', device_id: lobby, ...door }),
    lounge: await plant.create('gadget', { name: 'Lounge', device_id: lobby, ...door }),
    light: await plant.create('gadget', {
      name: 'Lobby light',
      device_id: lobby,
      actions: [
        { id: 'on', name: 'On' },
        { id: 'off', name: 'Off' },
      ],
      states: [
        { id: 'off', name: 'Off' },
        { id: 'on', name: 'On' },
      ],
    }),
  }
  await plant.edit('device', keypad, {
    input_rules: [
      { code: '', gadget_id: doors.front, action_id: 'open' },
      { code: '*1', gadget_id: doors.pool, action_id: 'open' },
    ],
  })
  await plant.create('gadget_trigger', {
    source_type: 'state',
    source_gadget_id: doors.front,
    source_state_id: 'open',
    target_gadget_id: doors.light,
    target_action_id: 'on',
  })
  for (const room of ['101', '102', '103'])
    await plant.create('device', { name: `Room ${room}`, site_id: site, product_id: 'roomlock' })
  return { site, ...doors }
}

async function seedNewYork(plant: Planter) {
  const site = await plant.create('site', {
    name: 'Miramar New York',
    timezone: 'America/New_York',
    geo: { location: { lat: 40.7549, lng: -73.984 }, radius: 200 },
    map: { address: '1 Example Avenue, New York' },
    phone: '+1 212 555 0100',
  })
  const lobby = await plant.create('device', {
    name: 'Lobby controller',
    site_id: site,
    product_id: 'controller',
  })
  const front = await plant.create('gadget', { name: 'Entrance', device_id: lobby, ...lobbyDoor })
  const gym = await plant.create('gadget', { name: 'Gym', device_id: lobby, ...door })
  const blind = await plant.create('gadget', {
    name: 'Blinds',
    device_id: lobby,
    actions: [
      { id: 'raise', name: 'Raise' },
      { id: 'lower', name: 'Lower' },
      { id: 'stop', name: 'Stop' },
    ],
  })
  for (const room of ['201', '202'])
    await plant.create('device', { name: `Room ${room}`, site_id: site, product_id: 'roomlock' })
  return { site, front, gym, blind }
}

async function seedGroups(
  plant: Planter,
  madrid: { site: string; front: string; lift: string; lounge: string; pool: string },
  newYork: { site: string },
  hours: { cleaning: string; pool: string },
) {
  const guests = await plant.create('member_group', {
    name: 'Madrid guests',
    permissions: [
      { gadget_id: madrid.front, action_id: 'open', presence: 'gps' },
      { gadget_id: madrid.lift },
      { gadget_id: madrid.lounge },
      { gadget_id: madrid.pool, action_id: 'open', schedule_id: hours.pool },
    ],
  })
  // Without a place to be at: whoever tries the guest page is elsewhere.
  const residents = await plant.create('member_group', {
    name: 'Demo guests',
    permissions: [
      { gadget_id: madrid.front, action_id: 'open' },
      { gadget_id: madrid.lift },
      { gadget_id: madrid.lounge },
      { gadget_id: madrid.pool, action_id: 'open', schedule_id: hours.pool },
    ],
  })
  const cleaning = await plant.create('member_group', {
    name: 'Cleaning',
    permissions: [
      { site_id: madrid.site, schedule_id: hours.cleaning, access_methods: { pin: true, card: true } },
    ],
  })
  const staff = await plant.create('member_group', {
    name: 'Staff',
    permissions: [{ member_group_id: cleaning }, { site_id: newYork.site }],
  })
  const reception = await plant.create('member_group', {
    name: 'Reception',
    permissions: [{ gadget_id: madrid.front }],
  })
  const managers = await plant.create('member_group', { name: 'Managers', permissions: [{}] })
  return { guests, residents, cleaning, staff, managers, reception }
}

async function seedPeople(
  plant: Planter,
  now: string,
  groups: Record<'guests' | 'residents' | 'cleaning' | 'staff' | 'managers' | 'reception', string>,
  vip: string,
): Promise<void> {
  const join = (member_id: string, member_group_id: string) =>
    plant.create('member_group_association', { member_group_id }, { member_id })
  for (const [index, starts] of [-1, 0, 3].entries()) {
    const member_id = await plant.create('member', {
      name: `Reservation R-100${index + 1}`,
      starts_at: addSeconds(now, starts * day),
      ends_at: addSeconds(now, (starts + 4) * day),
      metadata: { source: 'demo-pms', sourceID: `R-100${index + 1}` },
      tag_ids: index === 0 ? [vip] : [],
    })
    await join(member_id, groups.guests)
    await plant.create('member_magic_link', {}, { member_id })
    await plant.create('member_pin', {}, { member_id })
    await plant.create('member_email', { email: `guest${index + 1}@example.com` }, { member_id })
  }
  // No end date, so that the link in the start message works on any day.
  const resident = await plant.create('member', { name: 'Guest of the demo' })
  await join(resident, groups.residents)
  for (const kind of ['member_magic_link', 'member_pin'] as const)
    await plant.create(kind, {}, { member_id: resident })
  const cleaner = await plant.create('member', {
    name: 'Cleaning team',
    metadata: { source: 'demo-hr', sourceID: 'E-7' },
  })
  await join(cleaner, groups.cleaning)
  await plant.create('member_card', { uid: '04A1B2C3D4E5F6' }, { member_id: cleaner })
  await plant.create('member_pin', { length: 8 }, { member_id: cleaner })
  const receptionist = await plant.create('member', { name: 'Receptionist' })
  await join(receptionist, groups.reception)
  await plant.create('member_card', { uid: '04B1B2C3D4E5F6' }, { member_id: receptionist })
  const manager = await plant.create('member', {
    name: 'Night manager',
    metadata: { source: 'demo-hr', sourceID: 'E-1' },
  })
  await join(manager, groups.managers)
  await join(manager, groups.staff)
  await plant.create('member_email', { email: 'manager@miramar.example' }, { member_id: manager })
  await plant.create('member_token', {}, { member_id: manager })
  await plant.create('card', { name: 'Spare card', uid: '0A0B0C0D', printed_code: 'GH-000001' })
}
