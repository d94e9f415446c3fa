import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderDocuments } from '../../../scripts/docs.ts'

test('the documents are what `npm run docs` writes', async () => {
  const folder = join(import.meta.dirname, '../../../docs')
  for (const [name, text] of Object.entries(await renderDocuments()))
    expect(await readFile(join(folder, name), 'utf8')).toBe(text)
})
