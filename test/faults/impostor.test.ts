import { connect } from '@gatehouse-access/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Authentication } from '../../packages/server/src/database/postgres/login/authentication.ts'
import { accept, type Lies, letIn, message, openImpostor, ready, signInBy, wrongProof } from './impostor.ts'

let owned: AsyncDisposableStack

beforeEach(() => {
  owned = new AsyncDisposableStack()
})
afterEach(() => owned.disposeAsync())

async function meet(lies: Lies, sslmode = 'disable'): Promise<{ message: string; isBelieved: boolean }> {
  const impostor = owned.use(await openImpostor(lies))
  await using db = connect({ url: `${impostor.url}?sslmode=${sslmode}` }, 1)
  const error = await db.query('SELECT 1').then(
    () => new Error('it was answered'),
    error => error as Error,
  )
  return { message: error.message, isBelieved: impostor.isBelieved() }
}

const unproven = 'the database could not prove that it knows the password'
const foreign = 'what answered does not speak as PostgreSQL does: '
const atOnce = (...parts: Buffer[]) => ({ conclude: () => Buffer.concat(parts) })

describe('who cannot prove to be the database is asked for nothing', () => {
  it('an honest one is believed', async () => {
    expect(await meet({})).toMatchObject({ isBelieved: true })
  })

  it.each<[string, Lies, string]>([
    ['a wrong proof', { conclude: () => accept(wrongProof) }, unproven],
    ['a short proof', { conclude: proof => accept(proof.subarray(0, 8)) }, unproven],
    ['no proof', atOnce(letIn), unproven],
    ['readiness without being let in', atOnce(ready), `${foreign}it was ready before it let us in`],
    ['the nonce of another', { challenge: honest => honest.replace('r=', 'r=x') }, unproven],
    [
      'a nonce without its own part',
      { challenge: honest => honest.replace(/[0-9a-f]{18},s=/, ',s=') },
      unproven,
    ],
    ['a second challenge', { conclude: () => signInBy(11, 'r=x,s=,i=4096') }, unproven],
    ['a password in the clear after SCRAM', atOnce(signInBy(3)), `${foreign}it asked for the password twice`],
    [
      'work for hours',
      { challenge: honest => honest.replace('i=4096', 'i=2147483647') },
      `${foreign}it asks for 2147483647 iterations of SCRAM, of 1 to 2000000`,
    ],
    [
      'work of nothing',
      { challenge: honest => honest.replace('i=4096', 'i=0') },
      `${foreign}it asks for 0 iterations of SCRAM, of 1 to 2000000`,
    ],
  ])('%s', async (_name, lies, expected) => {
    expect(await meet(lies)).toEqual({ message: expected, isBelieved: false })
  })

  it('all at once, while we are still at work', async () => {
    const everything = [signInBy(10, 'SCRAM-SHA-256\0\0'), signInBy(12, 'v='), letIn]
    const outcome = await meet({ ask: socket => socket.write(Buffer.concat(everything)) })
    expect(outcome).toEqual({ message: unproven, isBelieved: false })
  })

  it('a mechanism or a way that is not known', async () => {
    const lies = (bytes: Buffer) => ({ ask: (socket: { write(bytes: Buffer): void }) => socket.write(bytes) })
    expect((await meet(lies(signInBy(10, 'SCRAM-SHA-1\0\0')))).message).toBe(
      'the database offers SCRAM-SHA-1, and not SCRAM-SHA-256',
    )
    expect((await meet(lies(signInBy(7)))).message).toContain(
      'an authentication method that is not supported',
    )
    expect((await meet(lies(message('R')))).message).toContain(
      'an authentication method that is not supported',
    )
  })
})

describe('a password goes in the clear', () => {
  const address = { user: 'ada', password: 'secret' } as ConstructorParameters<typeof Authentication>[0]
  const asked = signInBy(3).subarray(5)

  it('only where nobody can read along', () => {
    const answer = new Authentication(address, true).answer(asked)
    expect(answer?.toString()).toContain('secret')
    expect(() => new Authentication(address, false).answer(asked)).toThrow(
      'the database asks for the password in plain text, which others on the network could read',
    )
  })
})

describe('what is no PostgreSQL is told so', () => {
  const web = 'HTTP/1.1 400 Bad Request\r\n\r\n'
  const no = 'it answered neither yes nor no when asked for TLS'
  it.each<[string, string, string, string]>([
    ['a web server', web, 'disable', 'a message has 1414811695 bytes'],
    ['a web server that is asked for TLS', web, 'require', no],
    ['a yes with words behind it', `S${web}`, 'require', no],
    ['a no with words behind it', `N${web}`, 'prefer', no],
    [
      'a message that is not for now',
      'D\0\0\0\x06\0\0',
      'disable',
      'a message of type 68 came before it was ready',
    ],
    ['a message without an end', 'E\0\0\0\x04', 'disable', 'an error does not end'],
    ['an error with a field that does not end', 'E\0\0\0\x06SF', 'disable', 'a text does not end'],
    [
      'a message that is shorter than its own length',
      'R\0\0\0\x03\0\0\0\0',
      'disable',
      'a message has 3 bytes',
    ],
  ])('%s', async (_name, said, sslmode, expected) => {
    const lies = {
      greet: (socket: { write(text: string, encoding: 'latin1'): void }) => socket.write(said, 'latin1'),
    }
    const outcome = await meet(lies, sslmode)
    expect(outcome.message).toBe(foreign + expected)
  })
})
