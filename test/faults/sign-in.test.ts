import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '@gatehouse-access/server'
import { makeDataFolder } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certificate, makeCertificate } from './certificates.ts'
import { embeddedCluster, installedCluster } from './cluster.ts'
import { type GuardedCluster, guardedCluster, type OpenCluster } from './guarded-cluster.ts'

const installed = process.env.GATEHOUSE_POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin'
const servers: [string, OpenCluster][] = [['the embedded PostgreSQL', embeddedCluster]]
// Few machines have it installed, so only `npm run soak` includes it.
if (process.env.GATEHOUSE_SEEDS && existsSync(installed))
  servers.push([installed, settings => installedCluster(installed, settings)])

/** Contains every character that a URL must escape. */
const password = 'a:b/c@d?e#f%25 +&=[g]"h\'\\'
/** Composed, decomposed and wide characters, ignorable characters and special spaces. */
const awkward = [
  'Gruße',
  'Gru\u0308n',
  '\u2168\uff21',
  'so\u00adft',
  'a\u00a0b\u1680c',
  '\u0007bell\ufb01',
  '密码🔑',
]

describe.each(servers)('a sign-in at %s', (_name, open) => {
  let owned: AsyncDisposableStack
  let cluster: GuardedCluster
  let folder: string
  let files: { authority: string; stranger: string }

  beforeAll(async () => {
    owned = new AsyncDisposableStack()
    folder = owned.use(await makeDataFolder()).path
    cluster = owned.use(await guardedCluster(open))
    const stranger = makeCertificate({ name: 'Somebody else' })
    files = {
      authority: await save('authority', cluster.authority),
      stranger: await save('stranger', stranger),
    }
    await using db = cluster.connect()
    const quoted = `'${password.replaceAll("'", "''")}'`
    for (const name of ['scram', 'clear', 'encrypted', 'certified'])
      await db.query(`CREATE ROLE ${name} LOGIN PASSWORD ${quoted}`)
    await db.query(`SELECT set_config('password_encryption', 'md5', false)`)
    await db.query(`CREATE ROLE hashed LOGIN PASSWORD ${quoted}`)
    await db.query('CREATE ROLE scram_utf8 LOGIN')
  })
  afterAll(() => owned.disposeAsync())

  async function save(name: string, { pem, key }: Certificate): Promise<string> {
    await writeFile(join(folder, `${name}.key`), key, { mode: 0o600 })
    await writeFile(join(folder, `${name}.crt`), pem)
    return join(folder, `${name}.crt`)
  }

  function address(user: string, query: Record<string, string>, host = '127.0.0.1', word = password) {
    const who = `${user}:${encodeURIComponent(word)}`
    return `postgres://${who}@${host}:${cluster.port}/postgres?${new URLSearchParams(query)}`
  }

  /** Returns whether the connection is encrypted, as PostgreSQL reports it. */
  async function signIn(url: string): Promise<boolean> {
    await using db = connect({ url }, 1)
    const rows = await db.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND $1::text IS NOT NULL',
      ['ü'.repeat(40_000)],
    )
    return rows[0]?.ssl as boolean
  }

  it.each(['scram', 'hashed', 'clear'])(
    'lets in who knows the password of %s, with TLS and without',
    async user => {
      expect(await signIn(address(user, { sslmode: 'disable' }))).toBe(false)
      expect(await signIn(address(user, {}))).toBe(true)
      for (const sslmode of ['disable', 'require'])
        await expect(signIn(address(user, { sslmode }, '127.0.0.1', 'wrong'))).rejects.toThrow(
          `password authentication failed for user "${user}"`,
        )
      await expect(signIn(address(user, {}, '127.0.0.1', ''))).rejects.toThrow(
        'the database asks for a password, but DATABASE_URL has none',
      )
    },
  )

  it.each(awkward)('prepares the password %j as PostgreSQL does', async word => {
    await using db = cluster.connect()
    await db.query(`ALTER ROLE scram_utf8 PASSWORD '${word}'`)
    expect(await signIn(address('scram_utf8', {}, '127.0.0.1', word))).toBe(true)
  })

  it('takes the password from the query too, where a plus is a plus', async () => {
    const query = new URLSearchParams({ user: 'scram', password }).toString().replaceAll('+', '%20')
    expect(query).toContain('%2B')
    const url = `postgres://127.0.0.1:${cluster.port}/postgres?${query.replaceAll('%2B', '+')}`
    expect(await signIn(url)).toBe(true)
  })

  it('encrypts whenever it is offered, and says so when it is demanded and not', async () => {
    expect(await signIn(address('encrypted', { sslmode: 'prefer' }))).toBe(true)
    for (const sslmode of ['disable', 'allow'])
      await expect(signIn(address('encrypted', { sslmode }))).rejects.toThrow(
        /no pg_hba.conf entry.*no encryption/,
      )
    await cluster.setTls('off')
    const modes = {
      prefer: false,
      require: 'require',
      'verify-ca': 'verify-ca',
      'verify-full': 'verify-full',
    }
    for (const [sslmode, wanted] of Object.entries(modes)) {
      const url = address('scram', { sslmode })
      const outcome = () => signIn(url).catch((error: Error) => error.message)
      const expected = wanted && `the database does not offer TLS, which sslmode=${sslmode} requires`
      await expect.poll(outcome).toBe(expected)
    }
    await cluster.setTls('on')
    await expect.poll(() => signIn(address('scram', {}))).toBe(true)
  })

  it.each(['require', 'verify-ca', 'verify-full'])('knows the authority by sslmode=%s', async sslmode => {
    expect(await signIn(address('scram', { sslmode, sslrootcert: files.authority }))).toBe(true)
    await expect(signIn(address('scram', { sslmode, sslrootcert: files.stranger }))).rejects.toThrow(
      'the certificate of the database was signed by no authority that sslrootcert names',
    )
  })

  it('trusts the public authorities when none is named', async () => {
    expect(await signIn(address('scram', { sslmode: 'require' }))).toBe(true)
    for (const sslmode of ['verify-ca', 'verify-full'])
      await expect(signIn(address('scram', { sslmode }))).rejects.toThrow(
        /signed by no authority that is known here: name its file with sslrootcert, or sslrootcert=system \([^;]*\)$/,
      )
    await expect(signIn(address('scram', { sslrootcert: 'system' }))).rejects.toThrow(
      'the certificate of the database was signed by no authority that sslrootcert names',
    )
  })

  it('compares the name by verify-full alone, and the address as well', async () => {
    const { authority } = cluster
    const sslrootcert = files.authority
    const named = (hosts: string[], lifetime?: number) =>
      cluster.useCertificate(
        makeCertificate({ name: 'database', hosts, issuer: authority, ...(lifetime && { lifetime }) }),
      )
    expect(await signIn(address('scram', { sslrootcert }, 'localhost'))).toBe(true)
    await named(['db.example'])
    const outcome = (sslmode: string) => () =>
      signIn(address('scram', { sslmode, sslrootcert })).catch((error: Error) => error.message)
    await expect
      .poll(outcome('verify-full'))
      .toContain('the certificate of the database is not for 127.0.0.1, which sslmode=verify-full requires')
    expect(await outcome('verify-ca')()).toBe(true)
    await named(['127.0.0.1'], -1000)
    await expect.poll(outcome('verify-ca')).toBe('the certificate of the database has expired')
    await named(['127.0.0.1', 'localhost'])
    await expect.poll(outcome('verify-full')).toBe(true)
  })

  it('shows a certificate of its own', async () => {
    const issuer = cluster.authority
    const shown = (file: string) => ({
      sslmode: 'require',
      sslcert: file,
      sslkey: file.replace('.crt', '.key'),
    })
    const good = await save('certified', makeCertificate({ name: 'certified', issuer }))
    expect(await signIn(address('certified', shown(good)))).toBe(true)
    await expect(signIn(address('certified', { sslmode: 'require' }))).rejects.toThrow(
      'connection requires a valid client certificate',
    )
    const other = await save('other', makeCertificate({ name: 'other', issuer }))
    await expect(signIn(address('certified', shown(other)))).rejects.toThrow(
      'certificate authentication failed for user "certified"',
    )
    await expect(signIn(address('certified', shown(files.stranger)))).rejects.toThrow(
      /^no TLS connection could be negotiated with the database \(.*alert/,
    )
    await expect(
      signIn(address('certified', { ...shown(good), sslkey: join(folder, 'stranger.key') })),
    ).rejects.toThrow(/^no TLS connection could be negotiated with the database \(.*key values mismatch/)
  })
})
