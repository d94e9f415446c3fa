import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('the client imports nothing that only one runtime has', async () => {
  const folder = new URL('../src/', import.meta.url)
  for (const name of await readdir(folder)) {
    const source = await readFile(new URL(name, folder), 'utf8')
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, target]) => target ?? '')
    const allowed = imported.filter(target => target.startsWith('.') || target === '@gatehouse-access/api')
    expect([name, imported]).toEqual([name, allowed])
    expect(source).not.toMatch(/\b(process|Buffer)\./)
  }
})
