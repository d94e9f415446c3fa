import type { IncomingMessage } from 'node:http'

/** More than the authorization server reads of any body. */
export const longestBody = 64 * 1024

/**
 * Waits until the body is there, or more of it than anybody reads, and leaves it to be read: the authorization server reads
 * bodies by itself, within its turn. False: whoever sent it hung up.
 */
export function wholeBody(request: IncomingMessage): Promise<boolean> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && Number(length) === 0) return Promise.resolve(true)
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    const take = () => {
      if (!readInto(chunks, request)) return
      stop()
      // Before the end of the stream is told, so that it is told to the next reader.
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

/** Whether it is enough. */
function readInto(chunks: Buffer[], request: IncomingMessage): boolean {
  for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk)
  return request.complete || chunks.reduce((sum, { length }) => sum + length, 0) > longestBody
}
