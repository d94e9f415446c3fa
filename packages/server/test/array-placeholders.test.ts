import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')
/** A placeholder that PostgreSQL would report as an array of something other than text. */
const untyped = /(\$\{?\w+\}?)::(?!text\b)(\w+)\[\]/g

/**
 * An array is handed over as `text[]`, or written out and handed over as `text`, and the statement casts that on: how an
 * array of another type is put on the wire is then nobody's guess.
 */
test('no placeholder is an array of anything but text', async () => {
  const found: string[] = []
  for await (const file of glob('**/*.ts', { cwd: source })) {
    const text = await readFile(join(source, file), 'utf8')
    for (const [match] of text.matchAll(untyped)) found.push(`${file}: ${match}`)
  }
  expect(found).toEqual([])
})
