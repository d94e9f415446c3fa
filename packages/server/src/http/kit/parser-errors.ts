import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { RequestError } from '@gatehouse-access/api'
import { longestUrl } from './malformed.ts'

type ParserError = Error & { code?: string; rawPacket?: unknown }

const reasons: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
}

/** Answers errors of the HTTP parser in JSON. They occur before a request object exists. */
export function answerParserError(error: ParserError, socket: Duplex, requestId: string): void {
  if (error.code === 'ECONNRESET' || isOfTls(error) || !socket.writable) return void socket.destroy()
  answerOnSocket(explain(error), socket, requestId)
}

/** A failed handshake leaves no way to answer. */
function isOfTls({ code = '' }: ParserError): boolean {
  return /^ERR_(SSL|TLS)_/.test(code)
}

function explain({ code, rawPacket }: ParserError): RequestError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new RequestError('request_timeout', 'the request did not arrive in time')
  if (code !== 'HPE_HEADER_OVERFLOW')
    return new RequestError('invalid_request', 'the request is not valid HTTP')
  return Buffer.isBuffer(rawPacket) && hasLongLine(rawPacket)
    ? new RequestError('uri_too_long', 'the request line is too long')
    : new RequestError('headers_too_large', 'the header fields are larger than 16 KiB')
}

/** Returns whether a packet begins with a request line that alone exceeds the limit. */
function hasLongLine(packet: Buffer): boolean {
  const end = packet.indexOf('\n')
  return /^[A-Z]+ /.test(packet.toString('latin1', 0, 32)) && (end < 0 || end > longestUrl)
}

/** Handles cases in which Node itself would respond without a body or close the connection. */
export function answerUnusual(server: Server, nextId: () => string): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) =>
    answerOnSocket(new RequestError('method_not_allowed', 'CONNECT is not allowed'), socket, nextId()),
  )
}

function answerOnSocket(failure: RequestError, socket: Duplex, requestId: string): void {
  const body = JSON.stringify(failure.toBody())
  const head = [
    `HTTP/1.1 ${failure.status} ${reasons[failure.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
