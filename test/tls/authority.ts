import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { findFreePort, nameServer } from '@gatehouse-access/testkit'
// @ts-expect-error: plain JavaScript, since it also runs before anything is installed
import { findOrInstallPebble } from '../../scripts/pebble.mjs'
import { makeCertificate } from '../faults/certificates.ts'

/** A certificate authority that speaks ACME: Pebble, with names that all lead to this machine. */
export interface Authority extends AsyncDisposable {
  readonly directory: string
  /** The ports at which it checks names. */
  readonly http_port: number
  readonly tls_port: number
  /** The certificate of the authority's own web server. */
  readonly ca: string
  /** The root of what it issues. */
  readonly root: string
  stop(): Promise<void>
}

const folder = resolve(import.meta.dirname, '../..')
const days = 90

export async function startAuthority(): Promise<Authority> {
  await using owned = new AsyncDisposableStack()
  const program: string = await findOrInstallPebble(folder)
  const names = owned.use(await nameServer(() => 0))
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-authority-'))
  owned.defer(() => rm(path, { recursive: true }))
  const [port, manager, http_port, tls_port] = (await Promise.all(
    Array.from({ length: 4 }, () => findFreePort()),
  )) as [number, number, number, number]
  const own = makeCertificate({ name: 'localhost', hosts: ['localhost'], lifetime: 365 * 86_400_000 })
  const file = async (name: string, text: string) => {
    await writeFile(join(path, name), text)
    return join(path, name)
  }
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${manager}`,
    certificate: await file('cert.pem', own.pem),
    privateKey: await file('key.pem', own.key),
    httpPort: http_port,
    tlsPort: tls_port,
    certificateValidityPeriod: days * 86_400,
  }
  const config = await file('config.json', JSON.stringify({ pebble }))
  const child = spawn(program, ['-config', config, '-dnsserver', names.address], {
    stdio: 'ignore',
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0', PEBBLE_WFE_NONCEREJECT: '20' },
  })
  const gone = new Promise(resolve => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGKILL')
    await gone
  }
  owned.defer(stop)
  owned.use(trust(own.pem))
  const root = await fetchRoot(manager, own.pem, () => child.exitCode !== null)
  const all = owned.move()
  return {
    directory: `https://localhost:${port}/dir`,
    http_port,
    tls_port,
    ca: own.pem,
    root,
    stop,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Makes this process trust the authority's web server, as NODE_EXTRA_CA_CERTS does for a service. */
function trust(pem: string): Disposable {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, pem])
  return { [Symbol.dispose]: () => setDefaultCACertificates(before) }
}

async function fetchRoot(port: number, ca: string, isGone: () => boolean): Promise<string> {
  for (;;) {
    const root = await ask(`https://localhost:${port}/roots/0`, ca).catch(() => undefined)
    if (root?.includes('BEGIN CERTIFICATE')) return root
    if (isGone()) throw new Error('the authority did not start')
    await sleep(25)
  }
}

function ask(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, async answer => resolve((await answer.toArray()).join(''))).on(
      'error',
      reject,
    )
  })
}
