import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort, isSoak, makeEmptyFolder, type Service, startService } from '@gatehouse-access/testkit'
import { describe, expect, it } from 'vitest'

const megabyte = 1024 * 1024
const isRoot = process.getuid?.() === 0
// In the outer namespace, an ordinary user counts as root, which PostgreSQL refuses. The inner namespace
// undoes that.
const inMountNamespace = isRoot ? ['unshare', '-m'] : ['unshare', '-Urm']
const asOneself = isRoot ? '' : 'unshare -U --map-user=1000'
const script = `mount -t tmpfs -o size=800m,mode=0711 none "$0" && exec ${asOneself} "$@"`
const mayMount =
  process.platform === 'linux' &&
  spawnSync(inMountNamespace[0] as string, [...inMountNamespace.slice(1), 'true']).status === 0

describe.runIf(isSoak && mayMount)('on a small disk (needs a mount namespace)', () => {
  it('keeps a reserve for deletions and doors, goes on reading, and recovers by itself', async () => {
    await using folder = await makeEmptyFolder()
    const under = [...inMountNamespace, 'sh', '-c', script, folder.path]
    const env = { GATEHOUSE_DATA_DIR: folder.path, GATEHOUSE_DEMO: 'true' }
    await using service = await startService({ port: await findFreePort(), env, under })
    const disk = `/proc/${service.pid}/root${folder.path}`
    expect(await write(service)).toMatchObject({ status: 200 })
    await expect.poll(() => existsSync(join(disk, 'ballast')), { timeout: 20_000 }).toBe(true)
    fillUp(disk, 'filler', 500)
    await expect.poll(() => write(service), { timeout: 20_000 }).toMatchObject(refusal)
    await expectReserve(service)
    fillUp(disk, 'more', 40)
    await expect.poll(() => existsSync(join(disk, 'ballast')), { timeout: 20_000 }).toBe(false)
    await expectReserve(service)
    fillUp(disk, 'all', 10)
    await expect.poll(() => removeOne(service), { timeout: 20_000 }).toMatchObject(refusal)
    expect(await call(service, 'GET', '/v2/members?limit=1')).toMatchObject({ status: 200 })
    for (const name of ['filler', 'more', 'all']) rmSync(join(disk, name))
    await expect.poll(() => write(service), { timeout: 20_000 }).toMatchObject({ status: 200 })
    await expect.poll(() => existsSync(join(disk, 'ballast')), { timeout: 20_000 }).toBe(true)
    expect(await call(service, 'GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })
})

const refusal = {
  status: 503,
  body: { type: 'storage_full' },
  retry_after: expect.stringMatching(/^[1-9]\d*$/),
}

async function expectReserve(service: Service): Promise<void> {
  const path = `/v2/members/${await anyMember(service)}`
  expect((await call(service, 'GET', path)).status).toBe(200)
  expect(await call(service, 'PATCH', path, { name: 'Other' })).toMatchObject(refusal)
  expect(await call(service, 'POST', `${path}/pins`)).toMatchObject(refusal)
  expect(await call(service, 'POST', '/v2/sites')).toMatchObject(refusal)
  expect((await call(service, 'PATCH', path, { is_deleted: true })).status).toBe(200)
  expect((await removeOne(service)).status).toBe(200)
  expect(await openDoor(service)).toBe(200)
  expect((await fetch(`${service.url}/sign-up`, { method: 'POST' })).status).toBe(503)
  expect((await fetch(`${service.url}/oauth2/auth?client_id=x`)).status).toBe(503)
  expect((await fetch(`${service.url}/oauth2/token`, { method: 'POST' })).status).toBe(400)
  expect(await call(service, 'GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'read_only' } })
}

async function anyMember(service: Service): Promise<string> {
  const { body } = await call(service, 'GET', '/v2/members?limit=1')
  return (body as { data: { id: string }[] }).data[0]?.id as string
}

async function removeOne(service: Service) {
  return call(service, 'DELETE', `/v2/members/${await anyMember(service)}`)
}

async function openDoor(service: Service): Promise<number> {
  const { body } = await call(service, 'GET', '/v2/gadgets?limit=1')
  const [gadget] = (body as { data: { id: string; actions: { id: string }[] }[] }).data
  const action = gadget?.actions[0]?.id
  return (await call(service, 'POST', `/v2/gadgets/${gadget?.id}/actions/${action}`)).status
}

function write(service: Service) {
  return call(service, 'POST', '/v2/members')
}

async function call(service: Service, method: string, path: string, given?: object) {
  const token = /Bearer ([^']+)'/.exec(service.stdout())?.[1]
  const headers = { authorization: `Bearer ${token}`, ...(given && { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(given && { body: JSON.stringify(given) }) }
  const answer = await fetch(service.url + path, init)
  const body: unknown = await answer.json()
  return { status: answer.status, body, retry_after: answer.headers.get('retry-after') }
}

/** Writes a file that leaves the given number of megabytes free. */
function fillUp(path: string, name: string, room: number): void {
  const { bavail, bsize } = statfsSync(path)
  const file = openSync(join(path, name), 'w')
  for (let rest = (bavail * bsize) / megabyte - room; rest > 0; rest--)
    writeSync(file, Buffer.alloc(megabyte))
  closeSync(file)
}
