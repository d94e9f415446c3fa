import { once } from 'node:events'
import { WebSocket } from 'ws'

/** Opens streams and records the age in milliseconds of every event on arrival. */
export async function openStreams(url: string, tokens: readonly string[], count: number) {
  const ages: number[] = []
  const sockets: WebSocket[] = []
  for (let index = 0; index < count; index++) {
    const authorization = tokens[index % tokens.length] as string
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v2/events/stream`, {
      headers: { authorization },
    })
    await once(socket, 'open')
    socket.send('{"type":"subscribe"}')
    await once(socket, 'message')
    socket.on('message', data => ages.push(Date.now() - Date.parse(recordedAt(String(data)))))
    sockets.push(socket)
  }
  return {
    ages,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.terminate()
    },
  }
}

function recordedAt(text: string): string {
  return /"recorded_at":"([^"]+)"/.exec(text)?.[1] ?? ''
}
