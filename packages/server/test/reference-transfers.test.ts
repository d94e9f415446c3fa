import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { listTransfers, type Transfer } from '@gatehouse-access/api'
import { slowness, type Tenant, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { ended } from '../../../test/imports/importing.ts'
import { curlTransfer } from '../src/http/reference/curl.ts'
import { typescriptTransfer } from '../src/http/reference/typescript.ts'
import { jobTypes } from '../src/services/job-types.ts'
import { JobRunner } from '../src/services/jobs/run-jobs.ts'

const shell = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0
const patience = { timeout: 20_000 * slowness(), interval: 50 }

/** Runs an example, given the ID of a job. Returns what it printed or answered. */
type Run = (transfer: Transfer, job_id: string) => Promise<string>

async function tryAll(tenant: Tenant, run: Run): Promise<void> {
  const { client } = tenant
  const left = new Map(listTransfers().map(transfer => [transfer.id, transfer]))
  const ask = async (id: string, job_id = '') => {
    const transfer = left.get(id)
    left.delete(id)
    return transfer ? run(transfer, job_id) : undefined
  }
  const job_id = /"id": ?"(job_\w+)"/.exec((await ask('import.create')) ?? '')?.[1] ?? ''
  expect(await ended(client, job_id)).toMatchObject({ state: 'succeeded', progress: { done: 1, failed: 0 } })
  const { data } = await client.members.list({ external_id: 'R-1001' })
  expect(data).toMatchObject([{ name: 'Ana Garcia', starts_at: '2026-12-01T14:00:00.000000Z' }])
  const errors = await (await client.jobs.file(job_id, 'errors.csv')).text()
  expect(await ask('job.file', job_id)).toBe(errors)
  expect(await ask('member.export')).toContain('"name":"Ana Garcia"')
  expect(await ask('event.export')).toContain('"verb":"create"')
  expect(await ask('event.stream')).toContain('"verb":"create"')
  expect([...left.keys()]).toEqual([])
}

/** Makes events until one has arrived. */
function makeEvents({ client }: Tenant, hasArrived: () => boolean): Promise<void> {
  const arrives = async () => {
    await client.tags.create({ name: `Tag ${crypto.randomUUID()}` })
    return hasArrived()
  }
  return expect.poll(arrives, patience).toBe(true)
}

test.runIf(hasCurl)('every curl example of a transfer works when pasted', async () => {
  await using w = await world({ rate_limit: 0 })
  await using _runner = new JobRunner(w.server.context, jobTypes)
  const tenant = await w.tenant()
  await tryAll(tenant, async (transfer, job_id) => {
    const example = curlTransfer(transfer, `${w.url}/v2`)
    const env = { ...process.env, TOKEN: tenant.token, JOB_ID: job_id }
    // What is pasted takes the place of the shell, so that a stream ends with it.
    const script = `curl() { exec curl -sS --fail-with-body "$@"; }\n${example}`
    if (transfer.in_sdk !== 'loop') return (await shell('sh', ['-c', script], { env })).stdout
    const curl = spawn('sh', ['-c', script], { env })
    const end = once(curl, 'close')
    let text = ''
    curl.stdout.setEncoding('utf8').on('data', piece => {
      text += piece
    })
    try {
      await makeEvents(tenant, () => text.includes('"type":"event"'))
    } finally {
      curl.kill()
      await end
    }
    return text
  })
})

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor

test('so does every TypeScript example', async () => {
  await using w = await world({ rate_limit: 0 })
  await using _runner = new JobRunner(w.server.context, jobTypes)
  const tenant = await w.tenant()
  await tryAll(tenant, async (transfer, job_id) => {
    const example = typescriptTransfer(transfer, `${w.url}/v2`)
    const isLoop = transfer.in_sdk === 'loop'
    const run = new AsyncFunction(
      'gatehouse',
      'process',
      'console',
      'job_id',
      isLoop ? example : `${example}\nreturn answer`,
    )
    const answers: unknown[] = []
    // Nothing else ends the loop.
    const log = (answer: unknown) => {
      answers.push(answer)
      throw new Error('enough')
    }
    const running: Promise<unknown> = run(tenant.client, { env: { TOKEN: tenant.token } }, { log }, job_id)
    if (!isLoop) {
      const answer = await running
      if (answer instanceof Blob) return answer.text()
      return typeof answer === 'string' ? answer : JSON.stringify(answer)
    }
    const end = expect(running).rejects.toThrow('enough')
    await makeEvents(tenant, () => answers.length > 0)
    await end
    return JSON.stringify(answers)
  })
})
