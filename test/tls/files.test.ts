import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort, world } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { type Certificate, makeCertificate } from '../faults/certificates.ts'
import { ask, dial, name, shown, startTls } from './stage.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'))
})
afterEach(() => rm(folder, { recursive: true }))

const day = 86_400_000
const authority = makeCertificate({ name: 'An authority' })
const issue = (lifetime = 90 * day) => makeCertificate({ name, hosts: [name], issuer: authority, lifetime })

async function place({ pem, key }: Pick<Certificate, 'pem' | 'key'>) {
  const paths = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  await Promise.all([writeFile(paths.certificate, pem), writeFile(paths.key, key)])
  return { mode: 'files' as const, ...paths }
}

test('a certificate that changes is taken over without dropping a connection, and a broken one is not', async () => {
  const lines: string[] = []
  await using w = await world()
  await using server = await startTls(
    w,
    await place(issue()),
    {},
    { log: { write: line => void lines.push(line) } },
  )
  const { certificates } = server.context
  const held = await dial(server.url, authority.pem)
  const before = held.getPeerCertificate().fingerprint256
  expect(await ask(held, '/healthz')).toContain('strict-transport-security: max-age=')

  await place(issue())
  await certificates?.refresh()
  const after = (await shown(server.url, authority.pem)).fingerprint256
  expect(after).not.toBe(before)
  expect(await ask(held, '/healthz')).toContain('"ok"')

  await place({ pem: issue().pem, key: issue().key })
  await certificates?.refresh()
  await certificates?.refresh()
  expect((await shown(server.url, authority.pem)).fingerprint256).toBe(after)
  await place({ pem: 'nothing', key: 'nothing' })
  await certificates?.refresh()
  expect((await shown(server.url, authority.pem)).fingerprint256).toBe(after)
  expect(await ask(held, '/healthz')).toContain('"ok"')
  held.destroy()
})

test('old versions of TLS and plain HTTP on the port are refused', async () => {
  await using w = await world()
  await using server = await startTls(w, await place(issue()))
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
  await expect(dial(server.url, authority.pem, old)).rejects.toThrow()
  const socket = await dial(server.url, authority.pem, { maxVersion: 'TLSv1.2' })
  expect(await ask(socket, '/healthz')).toContain('"ok"')
  socket.destroy()
  await expect(fetch(server.url.replace('https', 'http'))).rejects.toThrow()
  // A connection that says nothing does not keep the service from stopping.
  await using silent = await startTls(w, await place(issue()))
  expect(silent.url).toContain('https://')
})

test('the plain port sends everyone to https and answers nothing else', async () => {
  await using w = await world()
  const http_port = await findFreePort()
  await using _server = await startTls(w, { ...(await place(issue())), http_port })
  const plain = `http://127.0.0.1:${http_port}`
  expect(await askPlain(plain, '/v2/members?limit=1')).toEqual([308, `https://${name}/v2/members?limit=1`])
  expect(await askPlain(plain, '//evil.example/', 'POST')).toEqual([308, `https://${name}//evil.example/`])
  expect(await askPlain(plain, '/.well-known/acme-challenge/none')).toEqual([404, undefined])
  expect(await askPlain(plain, '/.well-known/acme-challenge/../../x')).toEqual([404, undefined])
})

test('files that do not belong together stop the start with a sentence', async () => {
  await using w = await world()
  const wrong = await place({ pem: issue().pem, key: issue().key })
  await expect(startTls(w, wrong)).rejects.toThrow(/^The certificate .*cert\.pem cannot be used with the key/)
  const missing = { ...wrong, key: join(folder, 'none.pem') }
  await expect(startTls(w, missing)).rejects.toThrow(/^The file .*none\.pem cannot be read: ENOENT/)
})

function askPlain(
  url: string,
  path: string,
  method = 'GET',
): Promise<[number | undefined, string | undefined]> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, agent: false }, answer => {
      answer.resume()
      resolve([answer.statusCode, answer.headers.location])
    })
      .on('error', reject)
      .end()
  })
}

test('gatehouse ready asks over TLS', async () => {
  await using w = await world()
  const tls = await place(issue())
  await using server = await startTls(w, tls)
  const env = {
    PORT: new URL(server.url).port,
    GATEHOUSE_PUBLIC_URL: `https://${name}`,
    GATEHOUSE_TLS: 'files',
    GATEHOUSE_TLS_CERTIFICATE: tls.certificate,
    GATEHOUSE_TLS_KEY: tls.key,
  }
  expect(await gatehouse(['ready'], env)).toMatchObject({ code: 0, stdout: expect.stringContaining('ready') })
  const gone = await gatehouse(['ready'], { ...env, PORT: String(await findFreePort()) })
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') })
})
