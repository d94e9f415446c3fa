import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Replaces a file, whole or not at all. Returns whether anything changed. */
export function writeFile(path: string, text: string, mode: number): boolean {
  if (readIfThere(path) === text) return false
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  const draft = `${path}.partial`
  const file = openSync(draft, 'w', mode)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, path)
  return true
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
