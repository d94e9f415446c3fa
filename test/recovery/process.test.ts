import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@gatehouse-access/sdk'
import { connect, findConnection } from '@gatehouse-access/server'
import {
  copyFiles,
  findFreePort,
  isSoak,
  makeDataFolder,
  openAccess,
  type Service,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'

/** Starts four services, which `npm test` has no time for. */
test.runIf(isSoak)(
  'a service is killed right after a deletion, and its files are put back: the deletion holds',
  {
    ...within(120),
  },
  async () => {
    await using owned = new AsyncDisposableStack()
    const { path } = owned.use(await makeDataFolder())
    const [database, copy] = [join(path, 'database'), join(path, 'copy')]
    const env = { GATEHOUSE_DATA_DIR: path }
    const port = await findFreePort()
    let service: Service = await startService({ port, env })
    owned.defer(async () => void (await service.terminate()))
    const { token } = await useDatabase(path)
    const client = createClient({ base_url: `${service.url}/v2`, token, retries: 0 })
    const { id } = await client.members.create({ name: 'Mary' })
    await service.terminate()
    await copyFiles(database, copy)

    service = await startService({ port, env })
    await client.members.delete(id)
    await service.kill()
    // Whoever starts next finds the deletion in the feed and tells the ledger.
    service = await startService({ port, env })
    const ledger = join(path, 'checkpoints/ledger.txt')
    await expect
      .poll(() => readFile(ledger, 'utf8').catch(String), { timeout: 60_000 })
      .toContain('"deleted"')
    await service.terminate()

    await rm(database, { recursive: true })
    await copyFiles(copy, database)
    expect(await gatehouse(['restore', 'mark'], env)).toMatchObject({ code: 0, stderr: '' })
    service = await startService({ port, env: { ...env, GATEHOUSE_RESTORE_CONFIRM: 'auto' } })
    const { stdout } = await gatehouse(['token'], env)
    const looking = createClient({ base_url: `${service.url}/v2`, token: stdout.trim(), retries: 0 })
    expect(await looking.members.get(id)).toMatchObject({ name: 'Mary', is_deleted: true })
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    expect(await gatehouse(['restore', 'mark'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('stop it, then mark the restore'),
    })
  },
)

async function useDatabase(dataDir: string) {
  await using db = connect(findConnection(dataDir), 1)
  return await openAccess(db)
}
