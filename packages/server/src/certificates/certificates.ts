import type { Server } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Tls } from '../config/tls.ts'
import type { Pool } from '../database/db.ts'
import type { Life } from '../events/life.ts'
import type { Clock } from '../flow/clock.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { Trouble } from '../monitoring/trouble.ts'
import type { InstanceAlarms } from '../operator/instance-alarms.ts'
import { sealedAs } from '../vault/contexts.ts'
import type { Vault } from '../vault/vault.ts'
import { type Certificate, readCertificate, renewalOf } from './certificate.ts'
import { Challenges } from './challenges.ts'
import { ExpiryWatch, thresholdOf } from './expiry.ts'
import { readFiles } from './files.ts'
import { renew } from './renew.ts'
import { findCertificate, type Stored } from './store.ts'

export interface CertificateParts {
  readonly db: Pool
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Logger
  readonly life: Pick<Life, 'owner'>
  readonly metrics: Metrics
  readonly instance_alarms: InstanceAlarms
}

type Acme = Tls & { mode: 'acme' }

const channel = 'gatehouse_certificates'
/** Milliseconds in which a notification reaches the other processes. */
const reach = 300

/** For all connections of the service. Without forward secrecy, a stolen key would open recorded traffic. */
export const tlsOptions = {
  minVersion: 'TLSv1.2',
  ciphers:
    'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ECDHE+AESGCM:ECDHE+CHACHA20',
  honorCipherOrder: true,
} as const

/**
 * The certificate that this process shows. Connections keep the certificate that they were opened with, so a
 * change closes none. With ACME, the database holds it for all processes, and one of them renews it.
 */
export class Certificates implements AsyncDisposable {
  readonly challenges: Challenges
  readonly #tls: Tls
  readonly #parts: CertificateParts
  readonly #watch: ExpiryWatch
  readonly #trouble: Trouble
  readonly #end = new AbortController()
  #current: Certificate | undefined
  #server: Server | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(tls: Tls, parts: CertificateParts) {
    this.#tls = tls
    this.#parts = parts
    this.challenges = new Challenges(parts.db)
    this.#watch = new ExpiryWatch({
      log: parts.log,
      alarms: parts.instance_alarms,
      name: tls.mode === 'acme' ? tls.name : undefined,
    })
    this.#trouble = new Trouble(parts.log, 'the certificate cannot be read; the last one stays in use')
    if (tls.mode === 'acme') this.#listen()
    this.#measure()
  }

  /** Throws a sentence if the files cannot be used. With ACME, there may be no certificate yet. */
  async load(): Promise<Stored | undefined> {
    const tls = this.#tls
    if (tls.mode === 'files') {
      this.#use(await readFiles(tls))
      return undefined
    }
    await this.challenges.read()
    const stored = await findCertificate(this.#parts.db, tls)
    if (stored) this.#use(this.#open(tls, stored))
    return stored
  }

  /** Gives the server the certificate, now and whenever it changes. */
  serve(server: Server): void {
    this.#server = server
    if (this.#current) server.setSecureContext(secure(this.#current))
  }

  /** Takes a certificate that has changed, and obtains one that is due. One call at a time. */
  refresh(): Promise<void> {
    this.#running = this.#running.then(() => this.#refresh())
    return this.#running
  }

  async #refresh(): Promise<void> {
    try {
      const stored = await this.load()
      this.#trouble.over()
      if (this.#tls.mode === 'acme' && this.#isDue(stored)) await this.#renew(this.#tls, stored)
    } catch (error) {
      this.#trouble.met(error)
    }
    if (this.#current) this.#watch.look(this.#current, this.#now())
  }

  #isDue(stored: Stored | undefined): boolean {
    if (stored?.attempt_at && Date.parse(stored.attempt_at) > this.#now()) return false
    return this.#current === undefined || this.#now() >= renewalOf(this.#current)
  }

  async #renew(tls: Acme, stored: Stored | undefined): Promise<void> {
    const { life, ...parts } = this.#parts
    await renew(
      {
        ...parts,
        ...{ name: tls.name, directory: tls.directory, email: tls.email, owner: life.owner },
        has_http: tls.http_port !== undefined,
        signal: this.#end.signal,
        announce: () => this.#announce(),
      },
      stored,
    )
    await this.load()
  }

  /** Wakes every process, this one too, and gives them a moment. */
  async #announce(): Promise<void> {
    await this.#parts.db.query('SELECT pg_notify($1, $2)', [channel, ''])
    await this.challenges.read()
    await sleep(reach)
  }

  #listen(): void {
    const { db, log } = this.#parts
    const look = () => void this.load().catch(error => this.#trouble.met(error))
    db.listen(channel, look).catch(error => log.warn({ err: error }, `cannot listen to ${channel}; polling`))
  }

  #open({ directory, name }: Acme, { chain, key_ciphertext }: Stored): Certificate | undefined {
    if (chain === null || key_ciphertext === null) return undefined
    if (this.#current?.chain === chain) return this.#current
    const key = this.#parts.vault.decrypt(key_ciphertext, sealedAs.certificate_key(directory, name))
    return readCertificate(chain, key)
  }

  #use(certificate: Certificate | undefined): void {
    if (certificate === undefined || certificate.fingerprint === this.#current?.fingerprint) return
    this.#current = certificate
    this.#server?.setSecureContext(secure(certificate))
    const ends_at = new Date(certificate.ends_at).toISOString()
    this.#parts.log.info({ ends_at }, 'new connections get this certificate')
  }

  #measure(): void {
    const { metrics } = this.#parts
    metrics.gauge('gatehouse_certificate_seconds_left', 'Time until the certificate in use ends.', () =>
      this.#current ? (this.#current.ends_at - this.#now()) / 1000 : Number.NaN,
    )
    metrics.gauge(
      'gatehouse_certificate_expiring',
      '1 while a certificate that ends within 14 days is due and was not replaced.',
      () => (this.#current && thresholdOf(this.#current, this.#now()) !== undefined ? 1 : 0),
    )
  }

  #now(): number {
    return Date.parse(this.#parts.clock.now())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#running
  }
}

function secure({ chain, key }: Certificate) {
  return { ...tlsOptions, cert: chain, key }
}
