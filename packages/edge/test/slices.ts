import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { PassPayload, SliceMember, SliceRows } from '@gatehouse-access/api'
import { capabilitiesOf } from '@gatehouse-access/api'
import {
  type CredentialRow,
  fromMicroseconds,
  type PolicyRows,
  type SiteRow,
  type TriggerRow,
} from '@gatehouse-access/core'
import { type EdgeDevice, keyedHash } from '../src/index.ts'

export const deviceKey = Buffer.alloc(32, 7)
export const ownDevice = 'dev_keypad00000000000000'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
export const passKey = { id: 'key-1', public_key: publicKey.export({ format: 'jwk' }).x as string }

/** Creates a pass as the service signs it. */
export function makePass(
  changes: Partial<PassPayload> & { issued: number },
  key: KeyObject = privateKey,
): string {
  const { issued, ...rest } = changes
  const payload = {
    id: 'pass-1',
    key_id: passKey.id,
    member_id: 'mem_a',
    device_id: ownDevice,
    issued_at: fromMicroseconds(issued),
    expires_at: fromMicroseconds(issued + 3600e6),
    ...rest,
  }
  const signed = `ghp1.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

export function pinHash(pin: string): string {
  return keyedHash(deviceKey, 'pin', pin)
}

export function cardHash(uid: string): string {
  return keyedHash(deviceKey, 'card', uid)
}

/** The row of the device itself, with its input rules. */
export function keypad(
  input_rules: { code: string; gadget_id: string; action_id: string }[],
  site_id = 'site_a',
) {
  return { id: ownDevice, site_id, capabilities: capabilitiesOf('controller'), input_rules }
}

/** Converts the rows of an organization to a slice, with a hash for each PIN and card. */
export function sliceOf(rows: PolicyRows, secretOf: (credentialId: string) => string): SliceRows {
  return {
    sites: rows.sites.map(site => ({ ...site, ...daysOf(rows, site) })) as never,
    devices: rows.devices.map(device => ({ ...device, input_rules: [] })) as never,
    gadgets: rows.gadgets.map(gadget => ({ ...gadget, states: [], signals: [] })) as never,
    schedules: rows.schedules as never,
    groups: rows.groups.map(group => ({
      ...group,
      permissions: group.permissions.map((rule, rule_index) => ({ ...rule, rule_index })),
    })) as never,
    unlock_rules: rows.unlock_rules as never,
    overrides: rows.overrides as never,
    emergencies: emergenciesOf(rows) as never,
    members: rows.members.map(member => memberOf(rows, member, secretOf)),
  }
}

/** Devices are told the doors of emergencies that go on, not how they were found. */
function emergenciesOf({ emergencies = [], gadgets }: PolicyRows) {
  return emergencies
    .filter(({ ended_at }) => !ended_at)
    .map(row => {
      const { excluded_gadget_ids, gadget_ids, site_ids, tag_ids } = row.targets
      const found = gadgets.filter(
        ({ id, site_id, tag_ids: tags }) =>
          !excluded_gadget_ids?.includes(id) &&
          (gadget_ids?.includes(id) ||
            site_ids?.includes(site_id) ||
            tags?.some(tag => tag_ids?.includes(tag))),
      )
      return { ...row, targets: { gadget_ids: found.map(({ id }) => id) } }
    })
}

/** The days of the calendars that a site observes. `calendar_ids` is not told to devices. */
function daysOf(
  { calendars = [], calendar_days = [] }: PolicyRows,
  { calendar_ids, days, days_until }: SiteRow,
) {
  if (!calendar_ids) return { days, days_until }
  const living = calendars.filter(({ id, is_deleted }) => !is_deleted && calendar_ids.includes(id))
  const observed = calendar_days.filter(
    day => !day.is_deleted && living.some(({ id }) => id === day.calendar_id),
  )
  const rows = observed.map(({ kind, starts_on, ends_on, recurrence }) => ({
    kind,
    from: starts_on,
    to: ends_on ?? starts_on,
    yearly: recurrence === 'yearly',
  }))
  return { calendar_ids: undefined, days: rows, days_until: '2099-12-31' }
}

function memberOf(
  rows: PolicyRows,
  member: PolicyRows['members'][number],
  secretOf: (credentialId: string) => string,
): SliceMember {
  const own = <Row extends { member_id: string }>(list: readonly Row[]) =>
    list.filter(({ member_id }) => member_id === member.id)
  const isForDoors = ({ kind }: CredentialRow) => kind === 'pin' || kind === 'card'
  const doorKinds = own(rows.credentials).filter(isForDoors)
  const carriers = own(rows.credentials).filter(row => !isForDoors(row) && row.is_suspended)
  return {
    ...member,
    associations: own(rows.associations) as never,
    credentials: doorKinds.map(({ member_id: _, ...row }) => ({
      ...row,
      hash: keyedHash(deviceKey, row.kind as 'pin', secretOf(row.id)),
    })) as never,
    suspended: carriers.map(({ id, suspended_until }) => ({ id, suspended_until })) as never,
  } as SliceMember
}

export function trigger(
  changes: Partial<TriggerRow> & { site_id?: string },
): TriggerRow & { site_id: string } {
  return {
    id: 'gt_a',
    site_id: 'site_a',
    source_type: 'state',
    source_gadget_id: null,
    source_state_id: null,
    source_signal_id: null,
    source_schedule_id: null,
    source_schedule_event: null,
    target_gadget_id: 'gad_light',
    target_action_id: 'on',
    is_deleted: false,
    ...changes,
  }
}

/** Sends a device its policy as the service would: a snapshot first, then deltas. */
export class Feeder {
  readonly #device: EdgeDevice
  #version: number
  #hash: string

  /** `version` and `hash`: what a device that was started again has already. */
  constructor(device: EdgeDevice, version = 0, hash = '') {
    this.#device = device
    this.#version = version
    this.#hash = hash
  }

  async snapshot(put: SliceRows): Promise<void> {
    const version = ++this.#version
    const common = { device_id: ownDevice, version }
    const messages = [
      {
        type: 'snapshot_begin',
        ...common,
        key_generation: 1,
        key: deviceKey.toString('base64url'),
        pass_keys: [passKey],
      },
      { type: 'snapshot_part', ...common, part: 1, put },
      { type: 'snapshot_end', ...common, parts: 1 },
    ]
    const frames = messages.map(message => JSON.stringify(message))
    const answers = []
    for (const [index, message] of messages.entries())
      answers.push(await this.#device.intake.receive(message as never, frames[index] as string))
    this.#hash = createHash('sha256').update(frames.join('')).digest('hex')
    this.#expect(answers.at(-1))
  }

  async delta(put: SliceRows, remove: Record<string, string[]> = {}): Promise<void> {
    const [from, to] = [this.#version, ++this.#version]
    const message = { type: 'delta', device_id: ownDevice, from, to, previous_hash: this.#hash, put, remove }
    const frame = JSON.stringify(message)
    const answer = await this.#device.intake.receive(message as never, frame)
    this.#hash = createHash('sha256').update(frame).digest('hex')
    this.#expect(answer)
  }

  #expect(answer: unknown): void {
    const { type, version, hash } = (answer ?? {}) as { type?: string; version?: number; hash?: string }
    if (type !== 'applied' || version !== this.#version || hash !== this.#hash)
      throw new Error(`not applied: ${JSON.stringify(answer)}`)
  }
}
