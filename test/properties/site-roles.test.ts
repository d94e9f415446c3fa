import {
  decidedEndpoints,
  type Endpoint,
  endpoints,
  filtersOf,
  type Kind,
  type SiteRole,
  siteRoleScopesOf,
  siteRoles,
} from '@gatehouse-access/api'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ask, Question } from './ask.ts'
import { succeed } from './ask.ts'
import { fillPath, kindOf, rightQuestion } from './bad-requests.ts'
import { placesIn, withValue } from './field-paths.ts'
import { neverId } from './one-of-each.ts'
import { referencePaths } from './references.ts'
import { expectSameAnswer } from './same-answer.ts'
import { digestTables } from './state.ts'
import { appoint, canary, settleTwoSites, type TwoSites } from './two-sites.ts'
import { validBodies } from './valid-bodies.ts'

const owned = new AsyncDisposableStack()
let w: World
let here: TwoSites
let asks: Record<SiteRole, Ask>

beforeAll(async () => {
  w = owned.use(await world({ is_reachable: true }))
  here = await settleTwoSites(w)
  const site_ids = [here.ids.site]
  const appointed: [SiteRole, Ask][] = []
  for (const role of siteRoles)
    appointed.push([role, await appoint(w, here, `${role}@example.com`, { role, site_ids })])
  asks = Object.fromEntries(appointed) as Record<SiteRole, Ask>
})
afterAll(() => owned.disposeAsync())

const reaches = (role: SiteRole, { id }: Endpoint) => siteRoleScopesOf(id).includes(`role:${role}`)
const reachedBy = (role: SiteRole) => endpoints.filter(endpoint => reaches(role, endpoint))

async function unchanged(work: () => Promise<void>): Promise<void> {
  const before = await digestTables(w.server.context.db)
  await work()
  expect(await digestTables(w.server.context.db)).toEqual(before)
}

/** A few at once, because most of a request is waiting. */
async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const lane = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

/** Of a site, without what is not for these roles: to delete and restore it, and calendars. */
function bodiesOf({ id }: Endpoint): readonly (Record<string, unknown> | undefined)[] {
  const bodies = validBodies(here.ids)[id] ?? [undefined]
  if (id !== 'site.edit') return bodies
  return bodies.map(body => ({ ...body, calendar_ids: undefined, is_deleted: undefined }))
}

test('somebody has decided about every endpoint', () => {
  expect([...decidedEndpoints].sort()).toEqual(endpoints.map(({ id }) => id).sort())
})

test('a site administrator reaches what front desks and installers do, a site viewer what of it reads', () => {
  const theirs = endpoints.filter(
    endpoint => reaches('front_desk', endpoint) || reaches('installer', endpoint),
  )
  const idsOf = (found: readonly Endpoint[]) => found.map(({ id }) => id)
  expect(idsOf(reachedBy('site_administrator'))).toEqual(expect.arrayContaining(idsOf(theirs)))
  const reading = theirs.filter(({ scope, verb }) => scope === 'read' && verb !== 'bulk')
  expect(idsOf(reachedBy('site_viewer'))).toEqual(idsOf(reading))
})

describe.each(siteRoles)('%s of one site', role => {
  test('is refused at every endpoint that is not for the role', async () => {
    await unchanged(async () => {
      const others = endpoints.filter(endpoint => !reaches(role, endpoint))
      await inLanes(others, async endpoint => {
        const body = validBodies(here.ids)[endpoint.id]?.[0]
        const { status, text } = await asks[role](rightQuestion(endpoint, here.ids, body))
        expect([endpoint.id, status], text).toEqual([endpoint.id, 403])
      })
    })
  })

  test('finds nothing of the other site by its id, whatever it asks', async () => {
    await unchanged(async () => {
      await inLanes(reachedBy(role), endpoint => askPaths(role, endpoint))
    })
  })

  test('sees nothing of the other site in any answer', async () => {
    const seen: string[] = []
    const reading = reachedBy(role).filter(({ scope, verb }) => scope === 'read' && verb !== 'bulk')
    await inLanes(reading, async endpoint => {
      seen.push(...(await readsBeyond(role, endpoint)))
    })
    expect(seen).toEqual([])
  })

  test('finds nothing of the other site by filters', async () => {
    for (const { path, resource } of reachedBy(role).filter(
      ({ verb, params }) => verb === 'list' && params.length === 0,
    )) {
      const ids = [...filtersOf(resource).values()].flatMap(({ name, type }) => {
        const id = type.target && here.beyond[type.target]
        return id ? [`${name}=${id}`] : []
      })
      for (const query of [...ids, ...(resource.search ? [`q=${canary}`] : [])]) {
        const { status, text } = await asks[role]({ method: 'GET', path: `${path}?${query}` })
        expect([path, query, status, status === 200 && JSON.parse(text).data]).toEqual([path, query, 200, []])
      }
    }
  })

  test('cannot name anything of the other site in a body', async () => {
    await unchanged(async () => {
      for (const endpoint of reachedBy(role))
        for (const { path, kind } of referencePaths(endpoint)) {
          const id = here.beyond[kind]
          if (id) await askBodies(role, endpoint, path, id)
        }
    })
  })
})

/** Each parameter alone is the other site's, and then all of them. */
async function askPaths(role: SiteRole, endpoint: Endpoint): Promise<void> {
  const params = endpoint.params.filter(({ kind }) => kind !== 'action' && here.beyond[kind as Kind])
  const sets = params.length > 1 ? [...params.map(param => [param]), params] : [params]
  for (const set of sets.filter(({ length }) => length > 0)) {
    const names = set.map(({ name }) => name)
    const last = set.at(-1)?.kind as Kind
    const body = validBodies(here.ids)[endpoint.id]?.[0]
    const question = (id: string): Question => ({
      method: endpoint.method,
      path: fillPath(endpoint.path, name => {
        const kind = kindOf(name)
        if (kind === last) return id
        return names.includes(name) ? (here.beyond[kind] ?? '') : here.ids[kind]
      }),
      ...(body && { body }),
    })
    const { status } = await expectSameAnswer(asks[role], question, here.beyond[last] ?? '', neverId(last))
    expect([endpoint.id, names, status]).toEqual([endpoint.id, names, 404])
  }
}

/** What the answers of an endpoint tell of the other site, with everything that can be expanded. */
async function readsBeyond(role: SiteRole, endpoint: Endpoint): Promise<string[]> {
  const bodies = validBodies(here.ids)[endpoint.id] ?? [undefined]
  const names =
    endpoint.answer === 'page' || endpoint.answer === 'object' ? Object.keys(endpoint.resource.expands) : []
  const isList = endpoint.verb === 'list'
  const deletable = isList && 'is_deleted' in endpoint.resource.fields ? '&is_deleted=any' : ''
  const told: string[] = []
  for (const body of bodies)
    for (const expand of ['', ...names]) {
      const question = rightQuestion(endpoint, here.ids, body)
      const query = isList
        ? `?limit=100${deletable}${expand && `&expand=${expand}`}`
        : expand && `?expand=${expand}`
      const { status, text } = await asks[role]({ ...question, path: question.path + query })
      if (status !== 200) told.push(`${endpoint.id} ${expand} answered ${status}: ${text}`)
      told.push(...beyondIn(text).map(found => `${endpoint.id} ${expand} tells ${found}`))
    }
  return told
}

function beyondIn(text: string): string[] {
  const ids = Object.entries(here.beyond).filter(([, id]) => text.includes(id))
  return [...ids.map(([kind]) => kind), ...(text.includes(canary) ? [canary] : [])]
}

async function askBodies(
  role: SiteRole,
  endpoint: Endpoint,
  path: readonly string[],
  id: string,
): Promise<void> {
  for (const body of bodiesOf(endpoint)) {
    const [place] = placesIn(body, path)
    if (!place) continue
    const { status, text } = await asks[role](rightQuestion(endpoint, here.ids, withValue(body, place, id)))
    expect([endpoint.id, place.join('.'), status >= 400 && status < 500], text).toEqual([
      endpoint.id,
      place.join('.'),
      true,
    ])
    expect(beyondIn(text.replaceAll(id, ''))).toEqual([])
  }
}

describe('members and groups of two sites', () => {
  const asked = async (question: Question) => {
    const { status, text } = await asks.front_desk(question)
    return { status, reason: JSON.parse(text).args?.reason, text }
  }

  test('are shown without what concerns the other site', async () => {
    const { shared, ids, beyond } = here
    const get = <T>(path: string) => succeed<T>(asks.front_desk, { method: 'GET', path })
    const group = await get<{ permissions: object[] }>(`/member_groups/${shared.member_group}`)
    expect(group.permissions).toEqual([{ site_id: ids.site }])
    const path = `/members/${shared.member}/group_associations?is_deleted=any`
    const { data } = await get<{ data: { member_group_id: string }[] }>(path)
    expect(data.map(({ member_group_id }) => member_group_id)).toEqual([shared.member_group])
    const found = await get<{ data: object[] }>(`/members?member_group_id=${beyond.member_group}`)
    expect(found.data).toEqual([])
  })

  test('cannot be changed: that would open or close doors of the other site', async () => {
    const { shared, ids } = here
    await unchanged(async () => {
      const path = `/members/${shared.member}`
      const questions: Question[] = [
        { method: 'PATCH', path, body: { name: 'Other' } },
        { method: 'DELETE', path },
        { method: 'POST', path: `${path}/pins`, body: {} },
        { method: 'POST', path: `${path}/magic_links`, body: {} },
        { method: 'DELETE', path: `${path}/group_associations/${shared.association}` },
        {
          method: 'POST',
          path: `/members/${ids.member}/group_associations`,
          body: { member_group_id: shared.member_group },
        },
      ]
      for (const question of questions) {
        const { status, reason, text } = await asked(question)
        expect([question.method, question.path, status, reason], text).toEqual([
          question.method,
          question.path,
          403,
          'beyond_sites',
        ])
      }
    })
  })

  test('a guest of the own site is made, gets in, and is seen before and after', async () => {
    const desk = <T = { id: string }>(method: string, path: string, body?: object) =>
      succeed<T>(asks.front_desk, { method, path, ...(body && { body }) })
    const member = await desk('POST', '/members', { name: 'Guest of the desk' })
    const path = `/members/${member.id}`
    await desk('POST', `${path}/pins`, {})
    const association = await desk('POST', `${path}/group_associations`, { member_group_id: here.own_group })
    await desk('DELETE', `${path}/group_associations/${association.id}`)
    expect(await desk('GET', path)).toMatchObject({ id: member.id })
    const { data } = await desk<{ data: { id: string }[] }>('GET', '/members?q=desk')
    expect(data.map(({ id }) => id)).toEqual([member.id])
  })
})

describe('a site administrator', () => {
  const asked = async (method: string, path: string, body?: object) => {
    const { status, text } = await asks.site_administrator({ method, path, ...(body && { body }) })
    return { status, body: JSON.parse(text) }
  }
  const refused = { status: 403, body: { args: { reason: 'role_too_low' } } }

  test('edits its site, but not its calendars, and cannot delete it by an edit', async () => {
    const path = `/sites/${here.ids.site}`
    const [edit] = bodiesOf(endpoints.find(({ id }) => id === 'site.edit') as Endpoint)
    expect(await asked('PATCH', path, edit)).toMatchObject({ status: 200, body: { name: 'Porto' } })
    // Which fields an edit changed is hidden from it, so no filter tells.
    const changed = { method: 'GET', path: '/events?object.changed_field=name' }
    expect((await succeed<{ data: object[] }>(here.admin, changed)).data).not.toEqual([])
    expect((await succeed<{ data: object[] }>(asks.site_administrator, changed)).data).toEqual([])
    await succeed(here.admin, { method: 'PATCH', path, body: { calendar_ids: [here.ids.calendar] } })
    await unchanged(async () => {
      expect(await asked('PATCH', path, { calendar_ids: [] })).toMatchObject(refused)
      const body = { is_deleted: true }
      expect(await asked('PATCH', path, body)).toMatchObject(refused)
      expect(await asked('PATCH', `${path}?cascade=true`, body)).toMatchObject(refused)
      const bulk = await asked('POST', '/bulk', { operations: [{ method: 'PATCH', path, body }] })
      expect(bulk.body.results).toMatchObject([refused])
    })
  })

  test('who revokes the secret of a device is told of the PINs of its own site', async () => {
    const { ids, beyond } = here
    const path = `/devices/${ids.device}`
    const input_rules = [{ code: '1', gadget_id: beyond.gadget, action_id: 'open' }]
    await succeed(here.admin, { method: 'PATCH', path, body: { input_rules } })
    const known = await succeed<{ exposed_pins: object[] }>(here.admin, {
      method: 'DELETE',
      path: `${path}/credentials`,
    })
    const beyondPin = { member_pin_id: beyond.member_pin, member_id: beyond.member }
    expect(known.exposed_pins).toContainEqual(beyondPin)
    const { body } = await asked('DELETE', `${path}/credentials`)
    const own = known.exposed_pins.filter(pin => !Object.values(pin).includes(beyond.member))
    expect(body).toMatchObject({ exposed_pins: own, exposed_pin_count: own.length })
    expect(own).not.toEqual([])
  })
})
