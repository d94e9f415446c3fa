// Hashes sources, because checkouts and merges make file times meaningless. Plain JavaScript, because set-up needs
// it before the right Node is installed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the hash of files and of all files in folders, given by their paths below `root`. */
export function hashSources(root, sources) {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const path of listFiles(root, source))
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0')
  return hash.digest('hex')
}

function listFiles(root, source) {
  const path = join(root, source)
  if (!existsSync(path)) return []
  if (/\.\w+$/.test(source)) return [source]
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return files.map(file => file.slice(root.length + 1)).sort()
}
