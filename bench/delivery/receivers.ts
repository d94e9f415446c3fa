import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs in a separate process. Counts requests and records the age of each event on arrival. */
const count = Number(process.argv[2])
let hanging = 0
let received = 0
let ages: number[] = []

const recordedAt = /"recorded_at":"([^"]+)"/

function serve(index: number): Promise<number> {
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      if (index < hanging) return
      received++
      ages.push(Date.now() - Date.parse(recordedAt.exec(text)?.[1] ?? ''))
      response.end()
    })
  })
  server.keepAliveTimeout = 60_000
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
}

const ports = await Promise.all(Array.from({ length: count }, (_, index) => serve(index)))
process.on('message', (message: { hanging?: number; reset?: boolean }) => {
  if (message.hanging !== undefined) hanging = message.hanging
  process.send?.({ received, ages: message.reset ? ages : [] })
  if (message.reset) [received, ages] = [0, []]
})
process.on('disconnect', () => process.exit())
process.send?.({ ports })
