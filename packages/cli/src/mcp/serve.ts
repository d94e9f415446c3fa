import type { Client } from '@gatehouse-access/sdk'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createMcpServer } from './server.ts'

/** Serves until the assistant closes the standard input. */
export async function serveMcp(client: Client, options: { allow_writes: boolean }): Promise<void> {
  const closed = new Promise(resolve => process.stdin.once('close', resolve).once('end', resolve))
  const transport = new StdioServerTransport()
  const handle = serveStdio(() => createMcpServer(client, options), { transport })
  await closed
  await handle.close()
}
