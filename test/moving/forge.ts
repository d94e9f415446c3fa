import { createPublicKey } from 'node:crypto'
import { type Entry, readEntries, writeEntries } from '../../packages/server/src/backup/archive/entries.ts'
import { openArchive } from '../../packages/server/src/backup/archive/read-archive.ts'
import { parseRecoveryKey } from '../../packages/server/src/backup/archive/recovery-key.ts'
import { writeArchive } from '../../packages/server/src/backup/archive/write-archive.ts'
import { writeDurably } from '../../packages/server/src/backup/folder/durable-file.ts'

/** Writes the file again as a hostile source could: whole, under the same key, and with other content. */
export async function forge(
  from: string,
  to: string,
  key: string,
  change: (path: string, text: string) => string,
): Promise<void> {
  const recovery_key = parseRecoveryKey(key)
  await using archive = await openArchive(from, { recovery_key }, 'organization')
  const { x = '' } = createPublicKey(recovery_key).export({ format: 'jwk' })
  const readers = { recovery_key: Buffer.from(x, 'base64url'), service_key: undefined }
  const entries = writeEntries(changeEach(readEntries(archive.read()), change))
  await writeDurably(to, sink => writeArchive(sink, { name: 'organization', readers }, entries))
}

async function* changeEach(
  entries: AsyncIterable<Entry>,
  change: (path: string, text: string) => string,
): AsyncGenerator<Entry> {
  for await (const { path, content } of entries) {
    const text = Buffer.concat(await Array.fromAsync(content ?? [], part => Buffer.from(part))).toString()
    yield { path, content: once(Buffer.from(change(path, text))) }
  }
}

async function* once(part: Buffer): AsyncGenerator<Buffer> {
  yield part
}
