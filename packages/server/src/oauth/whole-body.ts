import type { IncomingMessage } from 'node:http'

/** More than the authorization server reads of any body, in bytes. */
export const longestBody = 64 * 1024

/**
 * Waits until the body has arrived, or more of it than is ever read, and puts it back into the stream: the
 * authorization server reads it later, within its turn. Returns false if the sender disconnected.
 */
export function wholeBody(request: IncomingMessage): Promise<boolean> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && Number(length) === 0) return Promise.resolve(true)
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    const take = () => {
      if (!readInto(chunks, request)) return
      stop()
      // Runs before the stream emits `end`, so that the next reader gets that event.
      if (chunks.length > 0) request.unshift(Buffer.concat(chunks))
      resolve(true)
    }
    const leave = () => {
      stop()
      resolve(false)
    }
    const stop = () => request.off('readable', take).off('close', leave)
    request.on('readable', take).on('close', leave)
  })
}

/** Returns whether the body is complete or longer than the limit. */
function readInto(chunks: Buffer[], request: IncomingMessage): boolean {
  for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk)
  return request.complete || chunks.reduce((sum, { length }) => sum + length, 0) > longestBody
}
