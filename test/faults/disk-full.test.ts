import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort, makeDataFolder, type Service, startService } from '@gatehouse/testkit'
import { describe, expect, it } from 'vitest'

const megabyte = 1024 * 1024
const isRoot = process.getuid?.() === 0
// Inside the outer namespace an ordinary user counts as root, which PostgreSQL refuses; the inner one undoes that.
const inMountNamespace = isRoot ? ['unshare', '-m'] : ['unshare', '-Urm']
const asOneself = isRoot ? '' : 'unshare -U --map-user=1000'
const script = `mount -t tmpfs -o size=700m,mode=0711 none "$0" && exec ${asOneself} "$@"`
const mayMount =
  process.platform === 'linux' &&
  spawnSync(inMountNamespace[0] as string, [...inMountNamespace.slice(1), 'true']).status === 0

describe.runIf(mayMount)('on a small disk (needs a mount namespace)', () => {
  it('refuses writes while less than 512 MB are free, goes on reading, and recovers by itself', async () => {
    await using folder = await makeDataFolder()
    const under = [...inMountNamespace, 'sh', '-c', script, folder.path]
    const env = { GATEHOUSE_DATA_DIR: folder.path, GATEHOUSE_DEMO: 'true' }
    await using service = await startService({ port: await findFreePort(), env, under })
    const disk = `/proc/${service.pid}/root${folder.path}`
    expect(await write(service)).toMatchObject({ status: 200 })
    for (const room of [500, 20]) {
      fillUp(disk, room)
      await expect.poll(() => write(service), { timeout: 20_000 }).toMatchObject(refusal)
      await expectReadOnly(service)
      rmSync(join(disk, 'filler'))
      await expect.poll(() => write(service), { timeout: 20_000 }).toMatchObject({ status: 200 })
    }
    expect(await call(service, 'GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })
})

const refusal = {
  status: 503,
  body: { type: 'storage_full' },
  retry_after: expect.stringMatching(/^[1-9]\d*$/),
}

async function expectReadOnly(service: Service): Promise<void> {
  const page = await call(service, 'GET', '/v2/members?limit=1')
  expect(page.status).toBe(200)
  const [member] = (page.body as { data: { id: string }[] }).data
  const path = `/v2/members/${member?.id}`
  expect((await call(service, 'GET', path)).status).toBe(200)
  expect(await call(service, 'PATCH', path)).toMatchObject(refusal)
  expect(await call(service, 'DELETE', path)).toMatchObject(refusal)
  expect(await call(service, 'POST', `${path}/pins`)).toMatchObject(refusal)
  expect(await call(service, 'GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'read_only' } })
}

function write(service: Service) {
  return call(service, 'POST', '/v2/members')
}

async function call(service: Service, method: string, path: string) {
  const token = /Bearer ([^']+)'/.exec(service.stdout())?.[1]
  const answer = await fetch(service.url + path, { method, headers: { authorization: `Bearer ${token}` } })
  const body: unknown = await answer.json()
  return { status: answer.status, body, retry_after: answer.headers.get('retry-after') }
}

/** Writes a file that leaves so many megabytes free. */
function fillUp(path: string, room: number): void {
  const { bavail, bsize } = statfsSync(path)
  const file = openSync(join(path, 'filler'), 'w')
  for (let rest = (bavail * bsize) / megabyte - room; rest > 0; rest--)
    writeSync(file, Buffer.alloc(megabyte))
  closeSync(file)
}
