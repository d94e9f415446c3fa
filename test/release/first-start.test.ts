import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort, slowness } from '@gatehouse-access/testkit'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/release/bundle.ts'
import { isPublished, plainEnv, run } from './published.ts'

describe.runIf(isPublished)('the first start of a fresh clone', () => {
  test('takes under 25 seconds and 350 MB, brings no test tools and warns of nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clone-'))
    // Run by root, the service has an account of its own, which enters it.
    chmodSync(folder, 0o711)
    const clone = join(folder, 'clone')
    await run('git', ['clone', '--quiet', root, clone])
    const port = await findFreePort()
    const env = { ...plainEnv, PORT: String(port), GATEHOUSE_DATA_DIR: join(folder, 'data') }
    const started_at = performance.now()
    const child = spawn('npm', ['start'], { cwd: clone, env, detached: true })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', text => (printed += text))
    await expect.poll(() => printed, { timeout: 300_000, interval: 20 }).toContain('Stop with Ctrl-C')
    const seconds = (performance.now() - started_at) / 1000
    const size = Number((await run('du', ['-sm', join(clone, 'node_modules')])).split('\t')[0])
    console.log(`first start: ${seconds.toFixed(1)} s, ${size} MB`)
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await once(child, 'exit')
    expect(printed).not.toContain('EBADENGINE')
    for (const tool of ['vitest', 'typescript', 'playwright-core', '@biomejs/biome', 'autocannon'])
      expect([tool, existsSync(join(clone, 'node_modules', tool))]).toEqual([tool, false])
    rmSync(folder, { recursive: true })
    expect(size).toBeLessThan(350)
    expect(seconds).toBeLessThan(25 * slowness())
  })
})
