import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')
/** A placeholder that PostgreSQL would report as an array of something other than text. */
const untyped = /(\$\{?\w+\}?)::(?!text\b)(\w+)\[\]/g

/**
 * Arrays are passed as `text[]`, or serialized and passed as `text`, and the statement casts them. The driver
 * never has to guess how to encode an array of another type.
 */
test('no placeholder is an array of anything but text', async () => {
  const found: string[] = []
  for await (const file of glob('**/*.ts', { cwd: source })) {
    const text = await readFile(join(source, file), 'utf8')
    for (const [match] of text.matchAll(untyped)) found.push(`${file}: ${match}`)
  }
  expect(found).toEqual([])
})
