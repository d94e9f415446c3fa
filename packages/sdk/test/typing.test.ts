import type { ResourceKind, Resources } from '@gatehouse-access/api'
import type { Client, Granted, Page } from '@gatehouse-access/sdk'
import { expectTypeOf, test } from 'vitest'

declare const client: Client

test('answers are typed by the declarations', () => {
  expectTypeOf<Awaited<ReturnType<Client['members']['get']>>['name']>().toEqualTypeOf<string | null>()
  expectTypeOf<Awaited<ReturnType<Client['members']['get']>>['is_deleted']>().toEqualTypeOf<boolean>()
  expectTypeOf<Awaited<ReturnType<Client['member_pins']['create']>>['pin']>().toEqualTypeOf<string>()
  expectTypeOf<Awaited<ReturnType<Client['member_pins']['get']>>>().not.toHaveProperty('pin')
  expectTypeOf<Awaited<ReturnType<Client['webhooks']['create']>>['secret']>().toEqualTypeOf<string>()
  expectTypeOf<Awaited<ReturnType<Client['grants']['create']>>>().toEqualTypeOf<Granted>()
  expectTypeOf<Awaited<ReturnType<Client['members']['list']>>>().toExtend<Page<{ id: string }>>()
})

test('methods are those of the declarations', () => {
  expectTypeOf<keyof Client['tags']>().toEqualTypeOf<
    'list' | 'all' | 'get' | 'create' | 'edit' | 'delete' | 'uses'
  >()
  expectTypeOf<keyof Client['products']>().toEqualTypeOf<'list' | 'all' | 'get'>()
  expectTypeOf<keyof Client['organization']>().toEqualTypeOf<
    'get' | 'edit' | 'privacy_record' | 'privacy_preview' | 'activity' | 'unused'
  >()
  expectTypeOf<Parameters<Client['member_pins']['reveal']>['length']>().toEqualTypeOf<2 | 3>()
  expectTypeOf<Client>().not.toHaveProperty('users')
})

type Action<K extends ResourceKind> = keyof NonNullable<Resources[K]['actions']>
type Unreached = {
  [K in ResourceKind]: Resources[K]['plural'] extends keyof Client
    ? Exclude<Action<K>, keyof Client[Resources[K]['plural']]>
    : never
}[ResourceKind]

test('every action of a declaration is typed', () => {
  expectTypeOf<Unreached>().toEqualTypeOf<never>()
})

test('what is given is typed too', () => {
  const calls = () => [
    client.members.create(),
    client.members.create({ name: 'x', metadata: { source: 'pms' } }),
    client.members.edit('mem_1', { ends_at: null, metadata: { source: null } }, { if_match: '"x"' }),
    client.members.list({
      sort: 'ends_at:asc',
      'ends_at:gt': '2026-01-01T00:00:00Z',
      email: 'a@example.com',
    }),
    client.events.list({
      verb: 'use',
      'object.gadget_id': 'gad_1',
      'object.job_id': null,
      'recorded_at:le': '2026-01-01T00:00:00Z',
    }),
    client.devices.list({ 'status.online': true, tag_ids: ['tag_1'] }),
    client.member_emails.create('mem_1', { email: 'a@example.com' }),
    // @ts-expect-error a site needs a timezone
    client.sites.create({ name: 'x' }),
    // @ts-expect-error a member has no such field
    client.members.create({ names: 'x' }),
    // @ts-expect-error products cannot be created
    client.products.create({}),
    // @ts-expect-error the member's id is missing
    client.member_emails.create({ email: 'a@example.com' }),
    // @ts-expect-error members cannot be sorted by that
    client.members.list({ sort: 'external_id:asc' }),
    // @ts-expect-error no event has this verb
    client.events.list({ verb: 'open' }),
    // @ts-expect-error schedules have no tags
    client.schedules.list({ tag_ids: ['tag_1'] }),
  ]
  expectTypeOf(calls).toBeFunction()
})
