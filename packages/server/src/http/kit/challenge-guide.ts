import type { Socket } from 'node:net'
import { challengeProtocol } from '../../certificates/acme/challenge-certificate.ts'
import type { Challenges } from '../../certificates/challenges.ts'

/** Milliseconds for the first bytes of a connection. */
const patience = 10_000
const handshake = 22
const offer = Buffer.concat([Buffer.of(challengeProtocol.length), Buffer.from(challengeProtocol)])

/**
 * Sends the connections of a certificate authority to the challenge certificate. TLS chooses the certificate before
 * it looks at the protocol, so the first bytes are read here. This is done only while a challenge is open.
 */
export function guideChallenges(challenges: Challenges) {
  return (socket: Socket, enter: (socket: Socket) => void): void => {
    if (challenges.are_over_tls)
      peek(socket, first =>
        first[0] === handshake && first.includes(offer) ? challenges.answerOverTls(socket) : enter(socket),
      )
    else enter(socket)
  }
}

function peek(socket: Socket, decide: (first: Buffer) => void): void {
  const stop = () => void socket.destroy()
  socket.setTimeout(patience, stop)
  socket.once('error', stop)
  socket.once('readable', () => {
    const first: Buffer | null = socket.read()
    socket.setTimeout(0)
    socket.off('timeout', stop).off('error', stop)
    if (first === null) return stop()
    socket.unshift(first)
    decide(first)
  })
}
