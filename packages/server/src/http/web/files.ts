import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, resolve } from 'node:path'

const dist = resolve(import.meta.dirname, '../../../../web/dist')

export type App = 'guest' | 'console'

/** A file of a built app with its compressed variants. */
export interface WebFile {
  readonly bytes: Buffer
  readonly br: Buffer | undefined
  readonly gz: Buffer | undefined
  readonly type: string
  readonly etag: string
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

const known = new Map<string, WebFile>()

/** Returns a file of the app, cached. Names come from URLs, so only plain relative paths are accepted. */
export function findFile(app: App, name: string): WebFile | undefined {
  const key = `${app}/${name}`
  const held = known.get(key)
  if (held) return held
  const file = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(name) ? readFile(join(dist, key)) : undefined
  if (file) known.set(key, file)
  return file
}

/** Reads all files into the cache. */
export function loadWebFiles(): void {
  for (const app of (['guest', 'console'] as const).filter(name => existsSync(join(dist, name))))
    for (const entry of readdirSync(join(dist, app), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) findFile(app, relative(join(dist, app), join(entry.parentPath, entry.name)))
}

function readFile(path: string): WebFile | undefined {
  const type = types[extname(path)]
  if (!type || !existsSync(path)) return undefined
  const bytes = readFileSync(path)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  return { bytes, br: readIfThere(`${path}.br`), gz: readIfThere(`${path}.gz`), type, etag }
}

function readIfThere(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined
}
