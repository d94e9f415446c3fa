import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Hook } from '../src/backup/folder/hook.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-hook-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

test('a hook gets each path, in order, and no secrets', async () => {
  for (const name of ['GATEHOUSE_SECRET_KEY', 'DATABASE_DIRECT_URL', 'OTEL_EXPORTER_OTLP_HEADERS'])
    vi.stubEnv(name, 'secret-word')
  const log = { warn: vi.fn() }
  const told = join(folder, 'told')
  const hook = new Hook(`( env; echo "path:$1" ) >> ${told}; echo`, log)
  const paths = [join(folder, "a b'c"), join(folder, '$HOME')]
  for (const path of paths) hook.tell(path)
  await hook.settled()
  const text = await readFile(told, 'utf8')
  expect(text.match(/^path:.*$/gm)).toEqual(paths.map(path => `path:${path}`))
  expect(text).not.toContain('secret-word')
  expect(log.warn).not.toHaveBeenCalled()
})

test('a hook that fails is told of in the log', async () => {
  const log = { warn: vi.fn() }
  const hook = new Hook('exit 3; :', log)
  hook.tell('/somewhere/file')
  await hook.settled()
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    { path: '/somewhere/file', reason: 'it ended with 3' },
    'the backup hook failed',
  )
})
