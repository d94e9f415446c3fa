import type { Socket } from 'node:net'
import { type ErrorType, RequestError } from '@gatehouse/api'

const meanings: Record<string, [ErrorType, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'the header fields are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'the request did not arrive in time'],
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/** Errors of the HTTP parser come before there is a request; they too are answered in JSON. */
export function answerParserError(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [type, message] = meanings[error.code ?? ''] ?? ['invalid_request', 'the request is no valid HTTP']
  const failure = new RequestError(type, message)
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
