import { chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from '@gatehouse-access/server'
import { findFreePort } from '@gatehouse-access/testkit'
import { type Certificate, makeCertificate } from './certificates.ts'
import { type Cluster, embeddedCluster } from './cluster.ts'

/** A PostgreSQL over TCP with TLS and password authentication. */
export interface GuardedCluster extends AsyncDisposable {
  readonly port: number
  /** The authority that signed the certificates of the server and its clients. */
  readonly authority: Certificate
  /** Connects as a user that is trusted over the Unix socket. */
  connect(): Pool
  setTls(value: 'on' | 'off'): Promise<void>
  useCertificate(certificate: Certificate): Promise<void>
}

export type OpenCluster = (settings: Readonly<Record<string, string>>) => Promise<Cluster>

/** The authentication rules over TCP: each user is named after its method. */
const rules = `local all all trust
host all scram,scram_utf8 127.0.0.1/32 scram-sha-256
host all hashed 127.0.0.1/32 md5
host all clear 127.0.0.1/32 password
hostssl all encrypted 127.0.0.1/32 scram-sha-256
hostssl all certified 127.0.0.1/32 cert
`

export async function guardedCluster(open: OpenCluster = embeddedCluster): Promise<GuardedCluster> {
  const port = await findFreePort()
  const cluster = await open({ listen_addresses: '127.0.0.1', port: String(port) })
  const db = cluster.connect()
  const [place] = await db.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`)
  const folder = place?.folder as string
  const authority = makeCertificate({ name: 'Authority of the test' })
  const reload = async (statement: string) => {
    await db.query(statement)
    await db.query('SELECT pg_reload_conf()')
  }
  const useCertificate = async (certificate: Certificate) => {
    await writeOwned(folder, 'server.crt', certificate.pem)
    await writeOwned(folder, 'server.key', certificate.key)
    await db.query('SELECT pg_reload_conf()')
  }
  await writeOwned(folder, 'root.crt', authority.pem)
  await writeOwned(folder, 'pg_hba.conf', rules)
  await useCertificate(
    makeCertificate({ name: 'database', hosts: ['localhost', '127.0.0.1'], issuer: authority }),
  )
  await db.query(`ALTER SYSTEM SET ssl_ca_file = 'root.crt'`)
  await reload('ALTER SYSTEM SET ssl = on')
  return {
    port,
    authority,
    connect: cluster.connect,
    useCertificate,
    setTls: value => reload(`ALTER SYSTEM SET ssl = ${value}`),
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]()
      await cluster[Symbol.asyncDispose]()
    },
  }
}

/** PostgreSQL reads a key only if no other user can read it. */
async function writeOwned(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  await writeFile(path, text, { mode: 0o600 })
  const { uid, gid } = await stat(folder)
  if (process.getuid?.() === 0) await chown(path, uid, gid)
}
