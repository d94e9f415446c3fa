import type { Access } from './access.ts'
import { CommandError, type Output } from './command.ts'

/** Writes a file of the service to an output, as it arrives. */
export async function fetchFile(access: Access, path: string, output: Output): Promise<void> {
  const headers = { authorization: `Bearer ${await access.token()}` }
  const answer = await fetch(access.base_url + path, { headers })
  if (!answer.ok || !answer.body) throw new CommandError(`The file was not sent: status ${answer.status}.`)
  const text = new TextDecoder()
  for await (const bytes of answer.body) output.write(text.decode(bytes, { stream: true }))
}
