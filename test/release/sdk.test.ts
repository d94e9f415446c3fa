import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isSoak, soak } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/release/bundle.ts'
import { makeSdk } from '../../scripts/release/trees.ts'
import { findPlainNode } from './plain-node.ts'
import { typedUse } from './typed-use.ts'

let folder: string
let sdk: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-sdk-'))
  sdk = join(folder, 'node_modules/@gatehouse-access/sdk')
  mkdirSync(sdk, { recursive: true })
  await makeSdk(sdk)
})
afterAll(() => rmSync(folder, { recursive: true }))

soak('it is one module without imports, and its types', () => {
  expect(readdirSync(sdk).sort()).toEqual(['LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json'])
  const manifest = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: '@gatehouse-access/sdk', type: 'module', engines: { node: '>=20' } })
  expect(manifest).not.toHaveProperty('dependencies')
  for (const name of ['index.js', 'index.d.ts']) {
    const text = readFileSync(join(sdk, name), 'utf8')
    expect(text).not.toMatch(/^import [^=]* from |\brequire\(|import\(['"`]/m)
    expect(text).not.toContain(root)
  }
})

test.runIf(isSoak && findPlainNode())("the machine's own Node runs it", async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ data: [{ id: `asked by ${request.headers['user-agent']}` }], has_next: false }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const script = `import { createClient } from '@gatehouse-access/sdk'
    const client = createClient({ base_url: 'http://127.0.0.1:${port}/v2', token: 'gha_x' })
    for await (const member of client.members.all()) console.log(member.id)`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(findPlainNode() as string, args, { cwd: folder })
  server.close()
  expect(stdout).toMatch(/^asked by gatehouse-sdk\/\d/)
})

soak('its types say what can be called, and what cannot', () => {
  writeFileSync(join(folder, 'use.mts'), typedUse)
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2022,dom,dom.iterable',
  ]
  const tsc = join(root, 'node_modules/.bin/tsc')
  const output = execFileSync(tsc, [...flags, '--types', '', 'use.mts'], { cwd: folder, encoding: 'utf8' })
  expect(output).toBe('')
})
